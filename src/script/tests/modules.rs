use super::*;

#[test]
fn names_are_found_beside_the_file_then_by_the_sketch_then_in_scripts() {
    let stage = Stage::new(&[
        (
            "sketch.lua",
            "print(require 'a', require 'lib.b', require 'lib/b', require './a', require 'd', require 'e')",
        ),
        ("a.lua", "return 'a'"),
        (
            "lib/b.lua",
            "return require('c') .. require('./c') .. require('a') .. require('../a')",
        ),
        ("lib/c.lua", "return 'c'"),
        ("scripts/d.lua", "return 'd' .. require 'e'"),
        ("scripts/e/init.lua", "return 'e'"),
    ]);
    stage.load().unwrap();
    assert_eq!(stage.printed(), ["a\tccaa\tccaa\ta\tde\te"]);
}

#[test]
fn a_module_runs_once_a_version_and_fresh_in_the_next() {
    let stage = Stage::new(&[
        (
            "sketch.lua",
            "local a, b = require 'a', require './a' print(a == b, a.value)",
        ),
        ("a.lua", "print 'ran' return {value = 1}"),
    ]);
    stage.load().unwrap();
    assert_eq!(stage.printed(), ["ran", "true\t1"]);
    stage.write("a.lua", b"return {value = 2}");
    stage.load().unwrap();
    assert_eq!(stage.printed(), ["true\t2"]);
}

#[test]
fn a_module_that_returns_a_function_is_replaced() {
    let stage = Stage::new(&[
        ("sketch.lua", "print(require('f')())"),
        ("f.lua", "return function() return 1 end"),
    ]);
    stage.load().unwrap();
    stage.write("f.lua", b"return function() return 2 end");
    stage.load().unwrap();
    assert_eq!(stage.printed(), ["1", "2"]);
}

#[test]
fn modules_that_require_each_other_show_the_chain() {
    let stage = Stage::new(&[
        ("sketch.lua", "require 'a'"),
        ("a.lua", "require 'b'"),
        ("b.lua", "\nrequire 'c'"),
        ("c.lua", "require 'a'"),
    ]);
    let error = stage.fails();
    assert_eq!(
        error.to_string(),
        "c.lua:1: modules require each other: a.lua -> b.lua -> c.lua -> a.lua"
    );
    assert_eq!(error.source_line.as_deref(), Some("require 'a'"));
    let way: Vec<_> = error
        .traceback
        .iter()
        .map(|f| format!("{}:{}", f.file, f.line))
        .collect();
    assert_eq!(way, ["c.lua:1", "b.lua:2", "a.lua:1", "sketch.lua:1"]);
}

#[test]
fn an_error_in_a_module_is_told_at_its_own_line_with_the_way_there() {
    let stage = Stage::new(&[
        ("sketch.lua", "\nlocal lib = require 'lib.x'"),
        (
            "lib/x.lua",
            "function inner() local t = nil return t.y end\n\nreturn inner()",
        ),
    ]);
    let error = stage.fails();
    assert_eq!(
        error.to_string(),
        "lib/x.lua:1: attempt to index nil with 'y'"
    );
    let way: Vec<_> = error
        .traceback
        .iter()
        .map(|f| format!("{}:{}", f.file, f.line))
        .collect();
    assert_eq!(way, ["lib/x.lua:1", "lib/x.lua:3", "sketch.lua:2"]);
}

#[test]
fn a_syntax_error_in_a_module_is_told_at_its_line() {
    let stage = Stage::new(&[
        ("sketch.lua", "require 'a'"),
        ("a.lua", "local x = 1\nif x then"),
    ]);
    let error = stage.fails();
    assert_eq!(
        (error.file.as_deref(), error.line),
        (Some("a.lua"), Some(2)),
        "{error}"
    );
    assert_eq!(error.source_line.as_deref(), Some("if x then"));
}

#[test]
fn a_missing_module_is_told_at_the_line_that_requires_it() {
    let stage = Stage::new(&[("sketch.lua", "\nrequire 'lib.none'")]);
    let error = stage.fails();
    assert_eq!(
        error.to_string(),
        "sketch.lua:2: module \"lib.none\" not found: no lib/none.lua, scripts/lib/none.lua"
    );
    stage.write("sketch.lua", b"require './none.lua'");
    let error = stage.fails();
    assert_eq!(
        error.to_string(),
        "sketch.lua:1: module \"./none.lua\" not found: no none.lua.lua; write require(\"./none\")"
    );
}

#[test]
fn nothing_outside_the_project_folder_is_read() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.lua"), "return 'secret'").unwrap();
    let stage = Stage::new(&[
        ("sketch.lua", ""),
        ("lib/a.lua", "return require '../../secret'"),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path(), stage.path("link")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path().join("secret.lua"), stage.path("secret2.lua"))
        .unwrap();
    let absolute = outside.path().join("secret").display().to_string();
    let cases = [
        (
            "../secret".to_owned(),
            "module \"../secret\" is outside the project folder".to_owned(),
        ),
        (
            "./lib/../../secret".to_owned(),
            "module \"./lib/../../secret\" is outside the project folder".to_owned(),
        ),
        (
            "lib.a".to_owned(),
            "module \"../../secret\" is outside the project folder".to_owned(),
        ),
        (
            absolute.clone(),
            format!(
                "module \"{absolute}\" is an absolute path; modules are named from the sketch's folder"
            ),
        ),
        (
            "link.secret".to_owned(),
            "module \"link.secret\": link/secret.lua is a link that leaves the project folder"
                .to_owned(),
        ),
        (
            "secret2".to_owned(),
            "module \"secret2\": secret2.lua is a link that leaves the project folder".to_owned(),
        ),
        (
            "".to_owned(),
            "\"\" is no module name; write require(\"lib.name\")".to_owned(),
        ),
        (
            "..".to_owned(),
            "\"..\" is no module name; write require(\"lib.name\")".to_owned(),
        ),
        (
            "a\0b".to_owned(),
            "\"a\\0b\" is no module name; write require(\"lib.name\")".to_owned(),
        ),
    ];
    for (name, message) in cases {
        stage.write(
            "sketch.lua",
            format!("require({name:?})")
                .replace("\\0", "\\000")
                .as_bytes(),
        );
        let error = stage.fails();
        assert_eq!(error.message, message, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_inside_the_project_is_the_same_module() {
    let stage = Stage::new(&[
        ("sketch.lua", "print(require 'a' == require 'b')"),
        ("a.lua", "return {}"),
    ]);
    std::os::unix::fs::symlink("a.lua", stage.path("b.lua")).unwrap();
    stage.load().unwrap();
    assert_eq!(stage.printed(), ["true"]);
}

#[test]
fn every_file_that_was_read_or_looked_for_is_recorded() {
    let stage = Stage::new(&[
        ("sketch.lua", "require 'lib.a' require 'gone'"),
        ("lib/a.lua", "return pcall(require, 'bad')"),
        ("scripts/bad.lua", "if"),
    ]);
    let mut loading = stage.loading();
    loading.finish().err().unwrap();
    let root = stage.folder.path().canonicalize().unwrap();
    let files = loading.files();
    let names = [
        "sketch.lua",
        "lib/a.lua",
        "scripts/bad.lua",
        "lib/bad.lua",
        "bad.lua",
        "gone.lua",
        "gone.luau",
        "gone/init.lua",
        "scripts/gone.lua",
    ];
    for name in names {
        assert!(files.contains(&root.join(name)), "{name} not in {files:?}");
    }
    let read = loading.read_files();
    let names: Vec<_> = read
        .iter()
        .map(|(path, _)| path.strip_prefix(&root).unwrap())
        .collect();
    assert_eq!(
        names,
        [
            Path::new("lib/a.lua"),
            Path::new("scripts/bad.lua"),
            Path::new("sketch.lua")
        ]
    );
    assert_eq!(&*read[1].1, b"if");
}

#[test]
fn a_missing_sketch_is_recorded_too() {
    let stage = Stage::new(&[]);
    let mut loading = stage.loading();
    let error = loading.finish().err().unwrap();
    assert_eq!(error.to_string(), "sketch.lua: not found");
    let root = stage.folder.path().canonicalize().unwrap();
    assert_eq!(loading.files(), [root.join("sketch.lua")]);
    let read: Reader = Rc::new(|path: &Path| read_file(path));
    let nowhere = stage.path("no/such/place/sketch.lua");
    let mut loading = stage.script.load(&nowhere, None, read);
    let error = loading.finish().err().unwrap();
    assert!(
        error.to_string().contains("no/such/place/sketch.lua"),
        "{error}"
    );
    assert_eq!(loading.files(), [nowhere]);
}

#[cfg(unix)]
#[test]
fn a_sketch_that_is_a_link_is_recorded_by_both_names() {
    let stage = Stage::new(&[("real/one.lua", "return require 'here'"), ("here.lua", "")]);
    std::os::unix::fs::symlink("real/one.lua", stage.path("sketch.lua")).unwrap();
    let version = stage.load().unwrap();
    let root = stage.folder.path().canonicalize().unwrap();
    for name in ["sketch.lua", "real/one.lua", "here.lua"] {
        assert!(version.files().contains(&root.join(name)), "{name}");
    }
}

#[test]
fn text_that_was_read_already_is_used() {
    let stage = Stage::sketch("print 'old'");
    let read: Reader = Rc::new(|path: &Path| read_file(path));
    let text = Some(b"print 'new'".to_vec());
    stage
        .script
        .load(&stage.path("sketch.lua"), text, read)
        .finish()
        .unwrap();
    assert_eq!(stage.printed(), ["new"]);
}

#[test]
fn what_is_not_a_script_is_refused_by_name_and_byte() {
    let cases: [(&[u8], &str); 4] = [
        (
            b"x = 1\n\xff\xfe",
            "sketch.lua: isn't UTF-8 text: byte 6 is 0xff",
        ),
        (
            b"\x7fELF\x02\x01\x01\0\0",
            "sketch.lua: isn't text: byte 4 is 0x02",
        ),
        (b"x = '\0'", "sketch.lua: isn't text: byte 5 is 0x00"),
        (b"\x06\x03\x01", "sketch.lua: isn't text: byte 0 is 0x06"),
    ];
    let stage = Stage::new(&[]);
    for (bytes, message) in cases {
        stage.write("sketch.lua", bytes);
        let error = stage.fails();
        assert_eq!(
            (error.to_string().as_str(), error.cause),
            (message, Cause::File)
        );
    }
    stage.write("sketch.lua", b"require 'm'");
    stage.write("m.lua", b"\xff");
    assert_eq!(
        stage.fails().message,
        "m.lua: isn't UTF-8 text: byte 0 is 0xff"
    );
    stage.write("sketch.lua", &vec![b'-'; 10 << 20]);
    assert_eq!(
        stage.fails().to_string(),
        "sketch.lua: is over the limit of 8 MiB for a script"
    );
    std::fs::remove_file(stage.path("sketch.lua")).unwrap();
    std::fs::create_dir(stage.path("sketch.lua")).unwrap();
    assert_eq!(
        stage.fails().to_string(),
        "sketch.lua: is a directory, not a script"
    );
}

#[test]
fn precompiled_code_is_refused_whatever_its_first_byte() {
    let code = crate::script::compiler().compile("return 1").unwrap();
    let stage = Stage::new(&[]);
    for version in 0..32 {
        let mut code = code.clone();
        code[0] = version;
        stage.write("sketch.lua", &code);
        let error = stage.fails();
        assert!(
            matches!(error.cause, Cause::File | Cause::Syntax { .. }),
            "{version}: {error}"
        );
    }
}

#[test]
fn a_failed_module_is_tried_again() {
    let stage = Stage::new(&[
        (
            "sketch.lua",
            "times = 0 print((pcall(require, 'a'))) times = 1 print(require 'a')",
        ),
        ("a.lua", "if times == 0 then error 'no' end return 'yes'"),
    ]);
    stage.load().unwrap();
    assert_eq!(stage.printed(), ["false", "yes"]);
}

#[test]
fn names_with_spaces_and_other_scripts_work() {
    let stage = Stage::new(&[
        (
            "sketch.lua",
            "print(require 'größe 日本', require 'a b.c d')",
        ),
        ("größe 日本.lua", "return 'ü'"),
        ("a b/c d.lua", "return debug.info(1, 's')"),
    ]);
    stage.load().unwrap();
    assert_eq!(stage.printed(), ["ü\ta b/c d.lua"]);
}

#[test]
fn five_hundred_versions_leave_nothing_behind() {
    let text = "local big = table.create(10000, 1) held = {require 'a', big} function update() return held end";
    let stage = Stage::new(&[("sketch.lua", text), ("a.lua", "return {_G, package}")]);
    stage.load().unwrap();
    stage.script.collect();
    let before = stage.script.used_memory();
    for _ in 0..500 {
        stage.load().unwrap();
    }
    stage.script.collect();
    let after = stage.script.used_memory();
    assert!(after < before + before / 20, "{before} -> {after} bytes");
}
