use super::*;

/// Ways to run for ever. Each is the body of a function.
const ENDLESS: [(&str, &str); 21] = [
    ("while", "while true do end"),
    ("repeat", "repeat until false"),
    ("numeric for", "for i = 1, 1e12 do end"),
    (
        "recursion",
        "local function f() return f() + 1 end while true do pcall(f) end",
    ),
    (
        "pcall",
        "while true do pcall(function() while true do end end) end",
    ),
    (
        "pcall of pcall",
        "local function f() while true do pcall(f) end end f()",
    ),
    (
        "xpcall handler",
        "while true do xpcall(error, function() while true do end end) end",
    ),
    ("swallowed once", "pcall(function() while true do end end)"),
    (
        "coroutine.wrap",
        "coroutine.wrap(function() while true do end end)()",
    ),
    (
        "coroutine.resume",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
    ),
    (
        "pcall in a coroutine",
        "coroutine.wrap(function() while true do pcall(function() while true do end end) end end)()",
    ),
    (
        "__index",
        "local t = setmetatable({}, {__index = function() while true do end end}) return t.x",
    ),
    (
        "__add",
        "local t = setmetatable({}, {__add = function() while true do end end}) return t + 1",
    ),
    (
        "__tostring",
        "print(setmetatable({}, {__tostring = function() while true do end end}))",
    ),
    (
        "__tostring of an error",
        "error(setmetatable({}, {__tostring = function() while true do end end}))",
    ),
    (
        "sort comparison",
        "table.sort({3, 1, 2}, function() while true do end end)",
    ),
    (
        "gsub callback",
        "string.gsub('aaa', 'a', function() while true do end end)",
    ),
    (
        "pattern",
        "string.find(string.rep('a', 300), string.rep('a*', 60) .. 'b')",
    ),
    ("iterator", "for _ in function() return 1 end do end"),
    ("load", "load('while true do end')()"),
    (
        "generic concat",
        "local t = {} while true do t[1] = table.concat({'a', 'b'}) end",
    ),
];

#[test]
fn endless_code_in_a_load_is_cut() {
    for (name, body) in ENDLESS {
        let stage = Stage::with(SHORT, &[("sketch.lua", body)]);
        let mut loading = stage.loading();
        let error = loop {
            match loading.step(Duration::from_millis(4)) {
                Step::More => {}
                Step::Done(_) => panic!("{name}: done"),
                Step::Failed(error) => break error,
            }
        };
        assert_eq!(
            error.cause,
            Cause::Cut { limit: SHORT.load },
            "{name}: {error}"
        );
        assert_eq!(error.message, "stopped after 60 ms", "{name}");
        let file = if name == "load" { "load" } else { "sketch.lua" };
        assert_eq!(
            (error.file.as_deref(), error.line),
            (Some(file), Some(1)),
            "{name}"
        );
        stage.write("sketch.lua", b"x = 1 + 1");
        let version = stage.load().unwrap();
        assert_eq!(
            stage.typed(&version, "x").unwrap().as_deref(),
            Some("2"),
            "{name}"
        );
    }
}

#[test]
fn endless_code_in_a_call_is_cut() {
    for (name, body) in ENDLESS {
        let text = format!("function update() {body} end");
        let stage = Stage::with(SHORT, &[("sketch.lua", &text)]);
        let version = stage.load().unwrap();
        let info = stage.frame(1, 0.0);
        stage.script.begin_frame(SHORT.frame);
        let error = version.update(&info).unwrap_err();
        assert_eq!(
            error.cause,
            Cause::Cut { limit: SHORT.frame },
            "{name}: {error}"
        );
        let file = if name == "load" { "load" } else { "sketch.lua" };
        assert_eq!(
            (error.file.as_deref(), error.line),
            (Some(file), Some(1)),
            "{name}"
        );
    }
}

#[test]
fn endless_code_in_a_typed_line_is_cut() {
    for (name, body) in ENDLESS {
        let stage = Stage::with(SHORT, &[("sketch.lua", "x = 1")]);
        let version = stage.load().unwrap();
        let error = stage
            .typed(&version, &format!("(function() {body} end)()"))
            .unwrap_err();
        assert_eq!(
            error.cause,
            Cause::Cut { limit: SHORT.load },
            "{name}: {error}"
        );
        let file = if name == "load" { "load" } else { "repl" };
        assert_eq!(error.file.as_deref(), Some(file), "{name}");
        assert_eq!(
            stage.typed(&version, "x").unwrap().as_deref(),
            Some("1"),
            "{name}"
        );
    }
}

#[test]
fn endless_code_leaves_the_frame_again_and_again() {
    let bodies = [
        "while true do end",
        "repeat until false",
        "for i = 1, 1e12 do end",
        "while true do pcall(function() for i = 1, 1e5 do end end) end",
        "require 'a'",
    ];
    let limits = Limits {
        load: Duration::from_millis(300),
        ..SHORT
    };
    for body in bodies {
        let stage = Stage::with(
            limits,
            &[("sketch.lua", body), ("a.lua", "\nwhile true do end")],
        );
        let mut loading = stage.loading();
        let mut steps = 0;
        let error = loop {
            match loading.step(Duration::from_millis(1)) {
                Step::More => steps += 1,
                Step::Done(_) => panic!("{body}: done"),
                Step::Failed(error) => break error,
            }
        };
        assert!(steps > 1, "{body}: {steps} slices");
        assert_eq!(error.message, "stopped after 300 ms");
    }
}

#[test]
fn slices_change_nothing_about_the_result() {
    let text = "
        local co = coroutine.wrap(function() for i = 1, 3 do local n = 0 for j = 1, 2e5 do n += j end coroutine.yield(i) end end)
        local seen = {}
        for i = 1, 3 do seen[i] = co() end
        local ok, sum = pcall(function() local n = 0 for i = 1, 1e6 do n += i end return n end)
        local t = {}
        for i = 1, 500 do t[i] = (i * 7919) % 1009 end
        table.sort(t, function(a, b) return a < b end)
        result = table.concat(seen, ',') .. ' ' .. sum .. ' ' .. t[1] .. ' ' .. t[500]";
    let stage = Stage::new(&[("sketch.lua", text)]);
    let mut loading = stage.loading();
    let mut steps = 0;
    let version = loop {
        match loading.step(Duration::from_micros(100)) {
            Step::More => steps += 1,
            Step::Done(version) => break version,
            Step::Failed(error) => panic!("{error}"),
        }
    };
    assert!(steps > 0);
    let result = stage.typed(&version, "result").unwrap().unwrap();
    let mut sorted: Vec<_> = (1..=500).map(|i| i * 7919 % 1009).collect();
    sorted.sort_unstable();
    assert_eq!(
        result,
        format!("\"1,2,3 500000500000 {} {}\"", sorted[0], sorted[499])
    );
}

#[test]
fn a_limit_counts_from_each_frame() {
    let limits = Limits {
        frame: Duration::from_millis(400),
        ..SHORT
    };
    let text = "function update() local n = 0 for i = 1, 1e5 do n += i end end";
    let stage = Stage::with(limits, &[("sketch.lua", text)]);
    let version = stage.load().unwrap();
    let info = stage.frame(1, 0.0);
    let started = std::time::Instant::now();
    while started.elapsed() < limits.frame * 2 {
        stage.script.begin_frame(limits.frame);
        version.update(&info).unwrap();
    }
}

#[test]
fn all_calls_of_a_frame_share_its_time() {
    let text = "function update() local n = 0 for i = 1, 1e5 do n += i end end";
    let stage = Stage::with(SHORT, &[("sketch.lua", text)]);
    let version = stage.load().unwrap();
    let info = stage.frame(1, 0.0);
    stage.script.begin_frame(SHORT.frame);
    let error = (0..100_000).find_map(|_| version.update(&info).err());
    assert_eq!(error.unwrap().cause, Cause::Cut { limit: SHORT.frame });
    stage.script.begin_frame(SHORT.frame);
    version.update(&info).unwrap();
}

#[test]
fn yielding_from_the_sketch_itself_is_an_error() {
    let error = fails("while true do coroutine.yield() end");
    assert_eq!(
        error.to_string(),
        "sketch.lua: coroutine.yield outside a coroutine"
    );
}

#[test]
fn a_memory_bomb_is_an_error_and_the_state_works_afterwards() {
    let bombs = [
        "local t = {} while true do t[#t + 1] = {1, 2, 3} end",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} while true do t[#t + 1] = string.rep('x', 1000000) .. #t end",
        "local t = {} for i = 1, 1e9 do t[i] = i end",
        "local t = {} pcall(function() while true do t[#t + 1] = {1, 2, 3} end end) t = nil",
    ];
    for bomb in bombs {
        let stage = Stage::new(&[("sketch.lua", bomb)]);
        match stage.load() {
            Ok(_) => assert!(bomb.contains("pcall"), "{bomb}"),
            Err(error) => {
                assert_eq!(error.cause, Cause::Memory, "{bomb}: {error}");
                assert_eq!(error.message, "out of memory for scripts");
            }
        }
        stage.write(
            "sketch.lua",
            b"x = string.rep('y', 1000) for i = 1, 100 do x ..= i end",
        );
        let version = stage.load().unwrap();
        assert_eq!(
            stage.typed(&version, "#x").unwrap().as_deref(),
            Some("1192")
        );
        assert!(stage.script.used_memory() < 32 << 20, "{bomb}");
    }
}

#[test]
fn one_call_into_the_library_can_not_take_long() {
    let cases = [
        (
            "string.rep('x', 1e9)",
            "string.rep: 1000000000 bytes is over the limit of 16 MiB",
        ),
        (
            "(('ab'):rep(1e8))",
            "string.rep: 200000000 bytes is over the limit of 16 MiB",
        ),
        (
            "table.create(1e8)",
            "table.create: 100000000 items is over the limit of 1048576",
        ),
        (
            "table.create(1e8, 0)",
            "table.create: 100000000 items is over the limit of 1048576",
        ),
        (
            "buffer.create(1e9)",
            "buffer.create: 1000000000 bytes is over the limit of 64 MiB",
        ),
        (
            "table.move({}, 1, 2e9, 2)",
            "table.move: 2000000000 items is over the limit of 1048576",
        ),
        (
            "string.pack('c900000000', 'a')",
            "string.pack: a field is over the limit of 9999999 bytes",
        ),
        (
            "string.format(string.rep('%s', 50), table.unpack(table.create(50, string.rep('x', 1e6))))",
            "string.format: 50000000 bytes is over the limit of 16 MiB",
        ),
        (
            "string.find(string.rep('a', 1e6), string.rep('a', 5e5) .. 'b', 1, true)",
            "string.find: 1000000 bytes are too many to search for 500001 bytes",
        ),
    ];
    for (call, message) in cases {
        let error = fails(&format!("\nlocal x = {call}"));
        assert_eq!(error.message, message, "{call}");
        assert_eq!(
            (error.file.as_deref(), error.line),
            (Some("sketch.lua"), Some(2)),
            "{call}"
        );
    }
    let error = fails(
        "local s = string.rep('x', 1e6) local t = table.create(1000, s) return table.concat(t, ',')",
    );
    assert!(error.message.starts_with("table.concat: 17"), "{error}");
    assert!(
        error
            .message
            .ends_with(" bytes or more is over the limit of 16 MiB"),
        "{error}"
    );
}

#[test]
fn a_long_sort_without_a_comparison_can_be_cut() {
    let text = "local t = {} for i = 1, 300000 do t[i] = (i * 7919) % 1000003 end
        function update() while true do table.sort(table.clone(t)) end end";
    let stage = Stage::sketch(text);
    let version = stage.load().unwrap();
    let info = stage.frame(1, 0.0);
    stage.script.begin_frame(SHORT.frame);
    let error = version.update(&info).unwrap_err();
    assert_eq!(error.cause, Cause::Cut { limit: SHORT.frame });
}

#[test]
fn deep_recursion_is_an_error() {
    for text in [
        "local function f(n) return f(n + 1) + 1 end f(1)",
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(s, k) return s[k + 1] end return t[1]",
        "local function f() return coroutine.wrap(f)() end f()",
        "local function f() return string.gsub('a', 'a', f) end f()",
        "local function f() table.sort({1, 2}, f) end f()",
        "string.find(string.rep('(', 5000), string.rep('(', 5000))",
        "local t = {} for i = 1, 100000 do t = {t} end print(t) error(t)",
    ] {
        let error = fails(text);
        assert_eq!(error.cause, Cause::Raised, "{text}: {error}");
        assert_eq!(error.file.as_deref(), Some("sketch.lua"), "{text}: {error}");
    }
}

#[test]
fn reading_files_costs_no_running_time() {
    let limits = Limits {
        load: Duration::from_millis(30),
        ..AMPLE
    };
    let stage = Stage::with(
        limits,
        &[("sketch.lua", "require 'a'"), ("a.lua", "return 1")],
    );
    let slow = |path: &Path| {
        let started = std::time::Instant::now();
        while started.elapsed() < Duration::from_millis(40) {
            std::hint::spin_loop();
        }
        read_file(path)
    };
    let mut loading = stage
        .script
        .load(&stage.path("sketch.lua"), None, Rc::new(slow));
    loading.finish().unwrap();
}
