//! `operator{}`: operators that a sketch declares.

use super::*;

const HALF: &str = "half = operator{
    name = 'half', doc = 'Half of a number.',
    inputs = { { 'value', 0, min = 0, max = 1, doc = 'The number.' }, { name = 'by', default = 2 } },
    update = function(self, ctx) runs = (runs or 0) + 1 return self.value / self.by end,
}\n";

#[test]
fn a_declared_operator_is_one_like_any_other() {
    let stage = Stage::sketch(HALF);
    let version = stage.load().unwrap();
    let typed = |line: &str| stage.typed(&version, line).unwrap().unwrap_or_default();
    stage.frame(1, 3.0);
    assert_eq!(typed("half(time):value()"), "1.5");
    assert_eq!(typed("half{ value = 3, by = 3 }:value()"), "1");
    assert_eq!(typed("time:half(6):value()"), "0.5");
    assert_eq!(typed("(time + 1):half():value()"), "2");
    stage.printed();
    typed("help(half)");
    let help = stage.printed().concat();
    for part in [
        "half(value, by) -> number",
        "Half of a number.",
        "number 0, 0..1",
    ] {
        assert!(help.contains(part), "{help}");
    }
    for (line, expected) in [
        (
            "half(time, 2, 3)",
            "half takes 2 arguments (value, by), got 3",
        ),
        ("half(osc())", "half.value: expected number, got picture"),
        (
            "half{ bye = 2 }",
            "half has no argument bye; did you mean by?",
        ),
    ] {
        assert_eq!(stage.typed(&version, line).unwrap_err().message, expected);
    }
}

#[test]
fn without_state_it_runs_when_an_input_changes_or_what_it_reads() {
    let stage = Stage::sketch(&format!(
        "{HALF} a = half(3) b = half(time:floor())
        c = operator{{ name = 'c', update = function(self, ctx) reads = (reads or 0) + 1 return ctx.beat end }}()"
    ));
    let version = stage.load().unwrap();
    let typed = |line: &str| stage.typed(&version, line).unwrap().unwrap_or_default();
    for (frame, time) in [(1, 0.0), (2, 0.25), (3, 0.5), (4, 1.0)] {
        stage.frame(frame, time);
        typed("a:value(), b:value(), c:value(), c:value()");
    }
    assert_eq!(typed("runs"), "3");
    assert_eq!(typed("reads"), "4");
}

#[test]
fn state_is_kept_for_each_scope_and_steps_once_a_frame() {
    let stage = Stage::sketch(
        "local count = operator{
            name = 'count', inputs = { { 'by', 1 } }, state = { n = 0, log = {} },
            update = function(self, ctx) self.n += self.by table.insert(self.log, self.n) return self.n end,
        }
        one, two = count(1), count(10)
        late = one:with_time(-5)",
    );
    let version = stage.load().unwrap();
    let typed = |line: &str| stage.typed(&version, line).unwrap().unwrap_or_default();
    for frame in 1..=3 {
        stage.frame(frame, frame as f64);
        typed("one:value(), one:value(), two:value()");
    }
    stage.frame(4, 4.0);
    assert_eq!(typed("one:value()"), "4");
    assert_eq!(typed("two:value()"), "40");
    assert_eq!(typed("late:value()"), "1");
}

#[test]
fn state_outlives_a_save_and_the_code_is_the_new_one() {
    let sketch = |step: &str| {
        format!(
            "local count = operator{{ name = 'count', state = {{ n = 0 }},
                update = function(self) self.n += {step} return self.n end }}
            solid(count() / 100):out()"
        )
    };
    let stage = Stage::sketch(&sketch("1"));
    let old = stage.load().unwrap();
    for frame in 1..=3 {
        stage.frame(frame, 0.0);
        stage.picture(&old, 0);
    }
    stage.write("sketch.lua", sketch("10").as_bytes());
    let new = stage.load().unwrap();
    let (node, replaced) = (stage.out(&new, 0), stage.out(&old, 0));
    stage.script.graph().borrow_mut().adopt([(node, replaced)]);
    drop(old);
    stage.frame(4, 0.0);
    assert_eq!(stage.picture(&new, 0), "solid[0.13, 0.0, 0.0, 1.0]");
}

#[test]
fn inputs_and_output_are_of_every_kind_that_lua_holds() {
    let stage = Stage::sketch(
        "local twice = operator{
            name = 'my.twice', output = 'vec3',
            inputs = { { 'v', {1, 2, 3} }, { 'on', true }, { 'tint', '#ff0000' }, { 'word', 'x' },
                { 'mode', choices = { 'up', 'down' } }, { 'list', {1, 2, 3, 4, 5} }, { 'n', kind = 'int', default = 2 } },
            update = function(self)
                seen = {self.on, self.tint[1], self.word, self.mode, #self.list, self.n}
                return { self.v[1] * 2, self.v[2] * 2, self.v[3] * 2 }
            end,
        }
        node = twice({ time, 0, 1 }, false, { mode = 'down' } and 'lime', 'y', 'down')",
    );
    let version = stage.load().unwrap();
    stage.frame(1, 5.0);
    let typed = |line: &str| stage.typed(&version, line).unwrap().unwrap_or_default();
    assert_eq!(typed("node:value()"), "{10, 0, 2}");
    assert_eq!(typed("seen"), "{false, 0, \"y\", \"down\", 5, 2}");
    assert_eq!(typed("(node * 2):x():value()"), "20");
}

#[test]
fn a_declared_operator_that_fails_keeps_its_last_value_and_names_its_line() {
    let stage = Stage::sketch(
        "local risky = operator{ name = 'risky', inputs = { { 'value', 0 } },
            update = function(self)
                if self.value > 2 then error('too much') end
                return self.value
            end }
        solid(risky(time) / 10):out()",
    );
    let version = stage.load().unwrap();
    stage.frame(1, 1.0);
    assert_eq!(stage.picture(&version, 0), "solid[0.1, 0.0, 0.0, 1.0]");
    stage.frame(2, 3.0);
    assert_eq!(stage.picture(&version, 0), "solid[0.1, 0.0, 0.0, 1.0]");
    let failures = stage.script.take_failures();
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0].to_string(), "sketch.lua:3: too much");
    stage.frame(3, 2.0);
    assert_eq!(stage.picture(&version, 0), "solid[0.2, 0.0, 0.0, 1.0]");
}

#[test]
fn a_wrong_declaration_says_what_is_wrong() {
    let cases = [
        (
            "operator()",
            "operator: expected a table, such as operator{ name = \"half\", inputs = { { \"value\", 0 } }, update = function(self, ctx) return self.value / 2 end }",
        ),
        ("operator{}", "operator.name: expected string, got nil"),
        (
            "operator{ name = 'Half' }",
            "operator.name: expected a word of small letters such as \"half\" or \"my.half\", got \"Half\"",
        ),
        (
            "operator{ name = 'osc' }",
            "operator.name: osc is an operator already",
        ),
        (
            "operator{ name = 'x' }",
            "x.update: expected a function, got nil",
        ),
        (
            "operator{ name = 'x', updat = print }",
            "operator has no updat; did you mean update?",
        ),
        (
            "operator{ name = 'x', output = 'picture', update = print }",
            "x.output: expected one of number, int, boolean, string, vec2, vec3, vec4, colour, quaternion, mat4, list, choice, got string \"picture\"",
        ),
        (
            "operator{ name = 'x', inputs = { 'a' }, update = print }",
            "x.inputs: expected a table such as { \"amount\", 0.5, min = 0, max = 1 }, got string \"a\"",
        ),
        (
            "operator{ name = 'x', inputs = { { 'a', 0 }, { 'a', 1 } }, update = print }",
            "x.inputs: a is there twice",
        ),
        (
            "operator{ name = 'x', inputs = { { 'a', 0, min = 2 } }, update = print }",
            "x.a: expected min and max, with min below max",
        ),
        (
            "operator{ name = 'x', inputs = { { 'a', 'b', kind = 'number' } }, update = print }",
            "x.a.default: expected number, got string \"b\"",
        ),
        (
            "operator{ name = 'x', inputs = { { 'a', 0, dok = 'b' } }, update = print }",
            "x.inputs has no dok; did you mean doc?",
        ),
        (
            "operator{ name = 'x', state = 3, update = print }",
            "x.state: expected a table, got number 3",
        ),
        (
            "operator{ name = 'x', inputs = { { 'n', 0 } }, state = { n = 1 }, update = print }",
            "x.state: n is an input, too",
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(fails(line).message, expected, "{line}");
    }
}

/// Loads a sketch that saves itself as `to` after three frames; what the new version shows in the fourth.
fn saved(from: &str, to: &str) -> String {
    let stage = Stage::sketch(from);
    let old = stage.load().unwrap();
    for frame in 1..=3 {
        stage.frame(frame, 0.0);
        stage.picture(&old, 0);
    }
    stage.write("sketch.lua", to.as_bytes());
    let new = stage.load().unwrap();
    let (node, replaced) = (stage.out(&new, 0), stage.out(&old, 0));
    stage.script.graph().borrow_mut().adopt([(node, replaced)]);
    drop(old);
    stage.frame(4, 0.0);
    let shown = stage.picture(&new, 0);
    let failures = stage.script.take_failures();
    assert!(failures.is_empty(), "{}", failures[0]);
    shown
}

fn counting(state: &str, update: &str) -> String {
    format!(
        "local count = operator{{ name = 'count', {state}
            update = function(self) {update} end }}
        solid(count() / 100):out()"
    )
}

#[test]
fn state_that_a_save_adds_begins_as_it_is_declared() {
    let from = counting("", "return 1");
    let to = counting("state = { n = 40 },", "self.n += 1 return self.n");
    assert_eq!(saved(&from, &to), "solid[0.41, 0.0, 0.0, 1.0]");
    assert_eq!(saved(&to, &from), "solid[0.01, 0.0, 0.0, 1.0]");
}

#[test]
fn a_field_that_a_save_adds_to_state_begins_as_it_is_declared() {
    let from = counting("state = { n = 0 },", "self.n += 1 return self.n");
    let to = counting(
        "state = { n = 0, step = 10 },",
        "self.n += self.step return self.n",
    );
    assert_eq!(saved(&from, &to), "solid[0.13, 0.0, 0.0, 1.0]");
}

#[test]
fn operators_declared_in_each_frame_leave_nothing_behind() {
    let stage = Stage::sketch(
        "function update(ctx)
            for i = 1, 50 do
                local half = operator{ name = 'half', inputs = { { 'value', i } }, state = { n = 0 },
                    update = function(self) return self.value / 2 end }
                last = half()
            end
        end",
    );
    let version = stage.load().unwrap();
    for frame in 1..=60 {
        let info = stage.frame(frame, 0.0);
        version.update(&info).unwrap();
        let last = stage.typed(&version, "last:value()").unwrap();
        assert_eq!(last.as_deref(), Some("25"));
        stage.script.collect();
        let held = stage.script.held();
        stage.script.graph().borrow_mut().keep_only(held);
    }
    let kept = version.scope().keep(mlua::Value::Boolean(true)).unwrap();
    assert!(kept < 300, "{kept}");
    assert!(stage.script.graph().borrow().len() < 300);
}

#[test]
fn a_wrong_list_of_inputs_says_what_was_expected() {
    let cases = [
        (
            "operator{ name = 'x', inputs = { value = 0 }, update = print }",
            "x.inputs: expected a list of tables such as { \"amount\", 0.5, min = 0, max = 1 }, got the name value",
        ),
        (
            "operator{ name = 'x', inputs = { { 'a', choices = 'up' } }, update = print }",
            "x.a.choices: expected a list of strings, got string \"up\"",
        ),
        (
            "operator{ name = 'x', inputs = { { 'a', choices = { true } } }, update = print }",
            "x.a.choices: expected a list of strings, got a list of 1 value",
        ),
        (
            "operator{ name = 'x', inputs = { { 'a', 0, is_rate = 'no' } }, update = print }",
            "x.a.is_rate: expected boolean, got string \"no\"",
        ),
        (
            "operator{ name = 'x', inputs = { { 'a', kind = 'choice' } }, update = print }",
            "x.a: a choice needs choices",
        ),
    ];
    for (line, expected) in cases {
        let error = fails(line);
        assert_eq!(
            error.to_string(),
            format!("sketch.lua:1: {expected}"),
            "{line}"
        );
    }
}

#[test]
fn what_was_an_input_before_a_save_is_no_state() {
    let from = counting(
        "inputs = { { 'n', 40 } }, state = { m = 0 },",
        "self.m += 1 return self.n",
    );
    let to = counting(
        "state = { n = 0, m = 0 },",
        "self.m += 10 return self.n + self.m",
    );
    assert_eq!(saved(&from, &to), "solid[0.13, 0.0, 0.0, 1.0]");
}

#[test]
fn a_frozen_self_still_gets_its_inputs() {
    let stage = Stage::sketch(
        "node = operator{ name = 'still', inputs = { { 'by', 0 } }, state = { n = 1 },
            update = function(self) local n = self.n + self.by table.freeze(self) return n end }(time)",
    );
    let version = stage.load().unwrap();
    for (frame, expected) in [(1, "2"), (2, "3"), (3, "4")] {
        stage.frame(frame, frame as f64);
        let shown = stage.typed(&version, "node:value()").unwrap();
        assert_eq!(shown.as_deref(), Some(expected));
    }
}
