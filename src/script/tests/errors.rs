use super::*;

#[test]
fn errors_name_the_users_line_and_nothing_else() {
    let cases = [
        (
            "local x = nil\nx.y = 1",
            "sketch.lua:2: attempt to index nil with 'y'",
        ),
        ("\nerror('oops')", "sketch.lua:2: oops"),
        ("\nerror('oops', 0)", "sketch.lua:2: oops"),
        (
            "function f() error('oops', 2) end\nf()",
            "sketch.lua:2: oops",
        ),
        ("error({message = 'said'})", "sketch.lua:1: said"),
        ("error({code = 3})", "sketch.lua:1: {code = 3}"),
        (
            "error({1, 'x', {y = 2}})",
            "sketch.lua:1: {1, \"x\", {y = 2}}",
        ),
        (
            "error(setmetatable({}, {__tostring = function() return 'spoken' end}))",
            "sketch.lua:1: spoken",
        ),
        (
            "error()",
            "sketch.lua:1: an error was raised without a message",
        ),
        ("error(42)", "sketch.lua:1: 42"),
        ("assert(false)", "sketch.lua:1: assertion failed!"),
        ("assert(nil, 'no light')", "sketch.lua:1: no light"),
        (
            "assert(false, {})",
            "sketch.lua:1: invalid argument #2 to 'assert' (string expected, got table)",
        ),
        (
            "coroutine.wrap(function()\nerror('inside') end)()",
            "sketch.lua:2: inside",
        ),
        (
            "\nlocal ok, e = pcall(error, 'first') error(e)",
            "sketch.lua:2: first",
        ),
        (
            "x = = 1",
            "sketch.lua:1: expected identifier when parsing expression, got '='",
        ),
        (
            "if true then\n",
            "sketch.lua:2: expected 'end' (to close 'then' at line 1), got <eof>",
        ),
        (
            "for i = 1, 2 do",
            "sketch.lua:1: expected 'end' (to close 'do' at column 14), got <eof>",
        ),
        (
            "string.rep()",
            "sketch.lua:1: invalid argument #1 to 'rep' (string expected, got nil)",
        ),
        (
            "local t = {} t[nil] = 1",
            "sketch.lua:1: table index is nil",
        ),
        ("nothing()", "sketch.lua:1: there is no nothing"),
        (
            "local t = {} t.x()",
            "sketch.lua:1: attempt to call a nil value",
        ),
        ("error('a:1: b')", "sketch.lua:1: a:1: b"),
        ("error('two\\nlines')", "sketch.lua:1: two\nlines"),
    ];
    for (text, expected) in cases {
        let error = fails(text);
        assert_eq!(error.to_string(), expected, "{text}");
        assert_eq!(
            error
                .traceback
                .iter()
                .find(|frame| frame.file != "sketch.lua"),
            None,
            "{text}"
        );
    }
}

#[test]
fn the_source_line_goes_with_the_message() {
    let error = fails("-- ä\n  osc('x'):out()\n");
    assert_eq!(error.excerpt(), "    2 |   osc('x'):out()");
}

#[test]
fn the_way_to_an_error_holds_only_user_frames() {
    let text = "local function inner() error('x') end
        function outer() table.sort({2, 1}, inner) end
        pcall(string.rep)
        local ok = xpcall(function() end, print)
        outer()";
    let error = fails(text);
    let lines: Vec<_> = error.traceback.iter().map(|frame| frame.line).collect();
    assert_eq!(lines, [1, 2, 5]);
    assert_eq!(
        error.traceback[0].to_string(),
        "sketch.lua:1: in function 'inner'"
    );
}

#[test]
fn an_unfinished_line_asks_for_more() {
    let stage = Stage::new(&[("sketch.lua", "")]);
    let version = stage.load().unwrap();
    for (line, incomplete) in [
        ("if x then", true),
        ("f(", true),
        ("x = {1,", true),
        ("x = )", false),
        ("return 1 +", true),
    ] {
        let error = stage.typed(&version, line).unwrap_err();
        assert_eq!(error.cause, Cause::Syntax { incomplete }, "{line}: {error}");
    }
}

#[test]
fn errors_of_a_typed_line_say_repl() {
    let stage = Stage::new(&[("sketch.lua", "function boom()\nerror('bang') end")]);
    let version = stage.load().unwrap();
    assert_eq!(
        stage.typed(&version, "nothing()").unwrap_err().to_string(),
        "repl:1: there is no nothing"
    );
    let error = stage.typed(&version, "boom()").unwrap_err();
    assert_eq!(error.to_string(), "sketch.lua:2: bang");
    let way: Vec<_> = error
        .traceback
        .iter()
        .map(|f| format!("{}:{}", f.file, f.line))
        .collect();
    assert_eq!(way, ["sketch.lua:2", "repl:1"]);
}
