//! Values of every kind as arguments, with signals among them, and Lua's signs between signals.

use super::*;

/// What each line shows at the prompt, at one second and two beats.
fn show(lines: &[(&str, &str)]) {
    let stage = Stage::sketch("");
    let version = stage.load().unwrap();
    stage.frame(1, 1.0);
    for (line, expected) in lines {
        let shown = stage.typed(&version, line);
        let shown = shown.unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(shown.as_deref(), Some(*expected), "{line}");
    }
}

fn refuse(lines: &[(&str, &str)]) {
    let stage = Stage::sketch("");
    let version = stage.load().unwrap();
    for (line, expected) in lines {
        match stage.typed(&version, line) {
            Ok(shown) => panic!("{line} showed {shown:?}"),
            Err(error) => assert_eq!(error.message, *expected, "{line}"),
        }
    }
}

#[test]
fn a_list_stands_for_a_vector_a_colour_or_a_list_with_signals_in_it() {
    show(&[
        ("vec3.length({2, 3, 6}):value()", "7"),
        ("vec3.length({2, beat + 1, 6}):value()", "7"),
        ("vec2.length{ value = {3, beat * 2} }:value()", "5"),
        (
            "vec3.length({2, function(ctx) return ctx.beat + 1 end, 6}):value()",
            "7",
        ),
        ("list.sum({1, 2, 3, 4, 5}):value()", "15"),
        ("list.sum({1, time, beat}):value()", "4"),
        ("list.sum(4):value()", "4"),
        ("color.of({0, time, 0}):g():value()", "1"),
        ("quat.inverse({0, 0, 0, 1}):value()", "{-0, -0, -0, 1}"),
        ("vec3.length(vector.create(2, 3, 6)):value()", "7"),
    ]);
}

#[test]
fn an_input_of_many_values_takes_the_rest_or_a_list_or_a_name() {
    show(&[
        ("list.of(1, time, 3):value()", "{1, 1, 3}"),
        ("list.of({1, 2}):value()", "{1, 2}"),
        ("list.of{ items = {4, beat} }:value()", "{4, 2}"),
        ("list.of():value()", "{}"),
        ("time:switch(10, 20, 30):value()", "10"),
        ("beat:switch{ values = {10, 20, 30} }:value()", "20"),
        ("text.concat(\"a\", \"b\", \"c\"):value()", "\"abc\""),
        ("color.pick(2, \"red\", \"lime\"):g():value()", "1"),
    ]);
}

#[test]
fn a_whole_number_is_wanted_where_things_are_counted() {
    show(&[("list.range(3, 0, 1):value()", "{0, 0.5, 1}")]);
    refuse(&[
        (
            "list.range(2.5)",
            "list.range.count: expected a whole number, got number 2.5",
        ),
        (
            "list.range(time)",
            "list.range.count: expected a whole number, got number signal",
        ),
        (
            "list.sum({1, \"a\"})",
            "list.sum.list: expected a list of numbers, got a list of 2 values",
        ),
    ]);
}

#[test]
fn signs_between_signals_are_operators_of_their_kind() {
    show(&[
        ("(time * 0.5 + 1):value()", "1.5"),
        ("(7 // (beat + 1)):value()", "2"),
        ("(2 ^ beat):value()", "4"),
        ("(-time):value()", "-1"),
        ("(vec3.of(time, 2, 3) * 2 + {1, 0, 0}):value()", "{3, 4, 6}"),
        ("(1 - vec2.of(time, 3)):value()", "{0, -2}"),
        ("(-vec2.of(time, 3)):value()", "{-1, -3}"),
        ("(list.of(1, 2) * beat):value()", "{2, 4}"),
        (
            "(color.of(\"#808080\") * color.of(\"red\")):g():value()",
            "0",
        ),
        ("(time:to_int() + 0.5):value()", "1.5"),
        ("(text.of(\"a\") .. \"b\" .. 3):value()", "\"ab3\""),
    ]);
    refuse(&[
        (
            "vec2.of(1, 2) + vec3.of(1, 2, 3)",
            "add: a vec2 signal and a vec3 signal don't go together",
        ),
        (
            "time:gt(0) + 1",
            "add: a number and a boolean signal don't go together",
        ),
        ("vec2.of(1, 2) % 2", "a vec2 signal has no mod"),
        (
            "\"x\" .. time",
            "a number signal is no text; write :to_text() for a number, :value() for what it is now",
        ),
    ]);
}

#[test]
fn any_kind_goes_where_any_is_taken_and_two_must_fit() {
    show(&[
        ("time:gt(0):pick(\"yes\", \"no\"):value()", "\"yes\""),
        ("time:gt(0):pick(vec2.of(1, 2), 3):value()", "{1, 2}"),
        ("time:gt(9):pick(vec2.of(1, 2), 3):value()", "{3, 3}"),
        (
            "variable(\"x\", \"none\"):with_variable(\"x\", \"some\"):value()",
            "\"some\"",
        ),
        (
            "variable(\"v\", {0, 0}):with_variable(\"v\", {3, beat * 2}):length():value()",
            "5",
        ),
    ]);
    refuse(&[(
        "time:gt(0):pick(vec2.of(1, 2), \"no\")",
        "bool.pick.no: expected vec2, got string",
    )]);
}

#[test]
fn a_node_can_be_bypassed_disabled_and_forced_and_says_how_it_does() {
    let stage = Stage::sketch("a = time + 10 b = a * 2");
    let version = stage.load().unwrap();
    let typed = |line: &str| stage.typed(&version, line).unwrap().unwrap_or_default();
    stage.frame(1, 1.0);
    assert_eq!(typed("b:value()"), "22");
    assert_eq!(typed("b:bypass():value()"), "11");
    stage.frame(2, 2.0);
    assert_eq!(typed("b:bypass(false):value()"), "24");
    assert_eq!(typed("b:disable():value()"), "24");
    stage.frame(3, 3.0);
    assert_eq!(typed("b:value()"), "24");
    assert_eq!(typed("b:status().mode"), "\"disabled\"");
    assert_eq!(typed("b:disable(false):value()"), "26");
    assert_eq!(
        typed("b:status().runs .. ' ' .. b:status().last_run"),
        "\"1 3\""
    );
    assert_eq!(typed("b:status().origin"), "\"sketch.lua:1\"");
    stage.frame(4, 4.0);
    assert_eq!(
        typed("num.sin(2):always():value() and stats().nodes > 2"),
        "true"
    );
    assert_eq!(typed("stats().frame"), "4");
    let error = stage.typed(&version, "b:bypass(1)").unwrap_err();
    assert_eq!(error.message, "bypass.on: expected boolean, got number 1");
}

#[test]
fn a_list_with_a_gap_is_refused_and_one_of_no_values_is_none() {
    let stage = Stage::sketch("");
    let version = stage.load().unwrap();
    stage.frame(1, 3.0);
    for (line, expected) in [
        (
            "num.switch(1, { time, nil, 3 })",
            "num.switch.values: expected a value or a signal, got nil",
        ),
        (
            "num.switch{ values = { nil, 3 } }",
            "num.switch.values: expected a value or a signal, got nil",
        ),
        (
            "num.switch(1, nil)",
            "num.switch.values: expected a value or a signal, got nil",
        ),
        (
            "list.sum({ 1, nil, 3 })",
            "list.sum.list: expected a list of numbers, got a list of 3 values",
        ),
        (
            "list.of{ items = { time, nil, 2 } }",
            "list.of.items: expected number, got nil",
        ),
    ] {
        let error = stage.typed(&version, line).unwrap_err();
        assert_eq!(error.message, expected, "{line}");
    }
    assert_eq!(
        stage.typed(&version, "list.of({}):value()").unwrap(),
        Some("{}".into())
    );
    assert_eq!(
        stage
            .typed(&version, "num.switch(1, {}):value()")
            .unwrap_err()
            .message,
        "value: num.switch.values: expected at least one value, got none"
    );
}
