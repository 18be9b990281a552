use super::*;

#[test]
fn a_sketch_has_no_way_to_the_system() {
    let text = "print(os.execute, os.remove, os.exit, os.rename, os.tmpname, io.popen, io.lines, dofile, loadfile, debug.getregistry, string.dump)";
    assert_eq!(prints(text), [["nil"; 11].join("\t")]);
    assert_eq!(
        prints("print(io.open('/etc/passwd'))"),
        ["nil\t/etc/passwd: a sketch opens no files\t2"]
    );
}

#[test]
fn the_library_can_not_be_changed() {
    for text in [
        "string.rep = 1",
        "math.x = 1",
        "getmetatable('').__index = 1",
        "io.write = 1",
        "os.time = 1",
        "rawset(table, 'x', 1)",
    ] {
        assert_eq!(
            fails(text).message,
            "attempt to modify a readonly table",
            "{text}"
        );
    }
}

#[test]
fn one_version_does_not_see_anothers_names() {
    let stage = Stage::new(&[("sketch.lua", "print(x, _G.x, rawget(getfenv(0), 'x'), rawget(getfenv(print), 'x'))
        x = 1 _G.y = 2 getfenv(0).z = 3 getfenv(print).w = 4 coroutine.wrap(function() v = 5 load('u = 6')() end)()
        print(x, y, z, w, v, u)")]);
    for _ in 0..2 {
        stage.load().unwrap();
        assert_eq!(stage.printed(), ["nil\tnil\tnil\tnil", "1\t2\t3\t4\t5\t6"]);
    }
}

#[test]
fn a_name_that_a_sketch_takes_over_is_taken_over_everywhere() {
    let stage = Stage::new(&[
        (
            "sketch.lua",
            "local other = require 'other' before = other() n = 1.5 function print_it() return tostring(1), math.floor(n) end",
        ),
        ("other.lua", "return function() return tostring(1) end"),
    ]);
    let version = stage.load().unwrap();
    assert_eq!(
        stage
            .typed(&version, "before, print_it()")
            .unwrap()
            .as_deref(),
        Some("\"1\"\t\"1\"\t1")
    );
    stage
        .typed(
            &version,
            "function tostring(x) return 'mine' end math = {floor = function() return 'flat' end}",
        )
        .unwrap();
    assert_eq!(
        stage
            .typed(&version, "require('other')(), print_it()")
            .unwrap()
            .as_deref(),
        Some("\"mine\"\t\"mine\"\t\"flat\"")
    );
}

#[test]
fn a_global_shared_by_files_is_never_stale() {
    let stage = Stage::new(&[
        (
            "sketch.lua",
            "speed, settings = 1, {size = 1} require 'other' speed = 2 settings.size = 2 settings = {size = settings.size + 1} print(read())",
        ),
        (
            "other.lua",
            "function read() return speed, settings.size end",
        ),
    ]);
    let version = stage.load().unwrap();
    assert_eq!(stage.printed(), ["2\t3"]);
    stage.typed(&version, "speed = 5").unwrap();
    assert_eq!(
        stage.typed(&version, "read()").unwrap().as_deref(),
        Some("5\t3")
    );
}

#[test]
fn a_typed_line_works_in_the_sketchs_environment() {
    let stage = Stage::new(&[(
        "sketch.lua",
        "local hidden = 1 seen = 2 function update() return seen end",
    )]);
    let version = stage.load().unwrap();
    assert_eq!(
        stage.typed(&version, "hidden, seen").unwrap().as_deref(),
        Some("nil\t2")
    );
    assert_eq!(stage.typed(&version, "seen = 3 -- set").unwrap(), None);
    assert_eq!(
        stage
            .typed(&version, "update() -- read")
            .unwrap()
            .as_deref(),
        Some("3")
    );
    assert_eq!(
        stage
            .typed(&version, "{1, 'a', b = {c = {}}}, print")
            .unwrap()
            .unwrap()
            .split('\t')
            .next(),
        Some("{1, \"a\", b = {c = {…}}}")
    );
}

#[test]
fn libraries_for_lua_5_1_find_what_they_expect() {
    assert_eq!(
        prints(
            "print(unpack({1, 2}), table.getn({1, 2}), package.config:sub(1, 1), load('return 1 + 1')())"
        ),
        ["1\t2\t/\t2"]
    );
    let parts = "local parts = {'return ', '4'} local i = 0 print(load(function() i += 1 return parts[i] end)())";
    assert_eq!(prints(parts), ["4"]);
    assert_eq!(
        prints("print(load('x = = 1', 'mine'))"),
        ["nil\tmine:1: expected identifier when parsing expression, got '='"]
    );
    assert_eq!(
        prints("print(select(2, load('\\27Lua')))"),
        ["load: the text isn't text: byte 0 is 0x1b"]
    );
    let old = "module('m', package.seeall) function f() return tostring(1) end";
    let stage = Stage::new(&[
        (
            "sketch.lua",
            "local m = require 'm' print(m.f(), m._NAME, f)",
        ),
        ("m.lua", old),
    ]);
    stage.load().unwrap();
    assert_eq!(stage.printed(), ["1\tm\tnil"]);
    assert_eq!(
        prints("setfenv(1, {print = print, x = 5}) print(x, string)"),
        ["5\tnil"]
    );
    assert_eq!(
        prints(
            "package.preload.p = function(name) return name .. '!' end print(require 'p', require('string') == string)"
        ),
        ["p!\ttrue"]
    );
}

#[test]
fn print_and_io_write_reach_the_log() {
    assert_eq!(
        prints("print(1, nil, 'x') io.write('a', 1) io.stdout:write('b\\n', 'c')"),
        ["1\tnil\tx", "a1b", "c"]
    );
}
