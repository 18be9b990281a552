use std::sync::Arc;

use super::super::probe::Probe;
use crate::value::{Anything, Value};

/// An operator with texts for its first inputs.
fn of(operator: &str, texts: &[(&str, &str)]) -> Probe {
    let mut probe = Probe::new(operator);
    for (input, text) in texts {
        probe.set(input, Arc::<str>::from(*text));
    }
    probe
}

#[track_caller]
fn expect(probe: &mut Probe, expected: &str) {
    let got = probe.now();
    assert_eq!(got, Value::Text(expected.into()), "{:?}", probe.error());
}

#[test]
fn texts_are_put_together_and_changed() {
    expect(&mut of("text.of", &[("text", "Ää")]), "Ää");
    expect(&mut of("text.upper", &[("text", "äß1")]), "ÄSS1");
    expect(&mut of("text.lower", &[("text", "Ä1")]), "ä1");
    let mut concat = of("text.concat", &[]);
    expect(&mut concat, "");
    concat.set_many("texts", ["a", "", "b"].map(Arc::<str>::from));
    expect(&mut concat, "ab");
    concat.set("separator", Arc::<str>::from(", "));
    expect(&mut concat, "a, , b");
    let long = Arc::<str>::from("ä".repeat(6_000));
    concat.set_many("texts", [long.clone(), long]);
    expect(
        &mut concat,
        &format!("{0}, {1}", "ä".repeat(6_000), "ä".repeat(3_998)),
    );
}

#[test]
fn a_line_is_picked_by_a_place_that_wraps() {
    let mut pick = of("text.pick_line", &[("text", "one\n\nthree\r\n")]);
    for (index, line) in [
        (1.9, "one"),
        (2.0, ""),
        (3.0, "three"),
        (4.0, "one"),
        (0.0, "three"),
    ] {
        pick.set("index", index);
        expect(&mut pick, line);
    }
    expect(&mut of("text.pick_line", &[]), "");
}

#[test]
fn a_text_is_cut_by_characters() {
    let mut slice = of("text.slice", &[("text", "größer")]);
    expect(&mut slice, "größer");
    for (from, to, part) in [
        (3.0, 4.0, "öß"),
        (-2.0, -1.0, "er"),
        (-99.0, 1.5, "g"),
        (5.0, 4.0, ""),
        (7.0, 9.0, ""),
    ] {
        slice.set("from", from).set("to", to);
        expect(&mut slice, part);
    }
}

#[test]
fn a_text_is_asked_about() {
    of("text.length", &[("text", "größer")]).expect(&[6.0]);
    for (text, part, has) in [("größer", "öß", 1.0), ("größer", "Öß", 0.0), ("a", "", 1.0)]
    {
        of("text.has", &[("text", text), ("part", part)]).expect(&[has]);
    }
    for (a, b, is_equal) in [("a", "a", 1.0), ("a", "A", 0.0), ("", "", 1.0)] {
        of("text.is_equal", &[("a", a), ("b", b)]).expect(&[is_equal]);
    }
}

#[test]
fn a_number_is_written_with_as_many_decimals_as_asked_for() {
    for (value, decimals, keep_zeros, text) in [
        (1.0, 2, false, "1"),
        (1.0, 2, true, "1.00"),
        (0.125, 2, true, "0.12"),
        (2.5, 2, false, "2.5"),
        (100.0, 0, false, "100"),
        (-0.001, 2, true, "0.00"),
        (-0.001, 2, false, "0"),
        (-0.5, 1, false, "-0.5"),
        (1.0 / 3.0, 99, false, "0.333333333333"),
        (1.5, -1, true, "2"),
    ] {
        let mut to_text = Probe::of("num.to_text", &[&[value]]);
        to_text.set("decimals", decimals as i64);
        to_text.set("keep_zeros", keep_zeros);
        expect(&mut to_text, text);
    }
}

fn values() -> [Anything; 3] {
    [
        Value::Number(1.0 / 3.0),
        Value::Text("b".into()),
        Value::Int(4),
    ]
    .map(Anything)
}

#[test]
fn a_template_takes_values_of_any_kinds() {
    for (template, text) in [
        ("", ""),
        ("{:.2} {} {}", "0.33 b 4"),
        ("{2}{2}, {} {3:.1}", "bb, 0.3333333333333333 4.0"),
        ("{{{3}}} ä", "{4} ä"),
    ] {
        let mut format = of("text.format", &[("template", template)]);
        format.set_many("values", values());
        expect(&mut format, text);
    }
}

#[test]
fn a_wrong_template_says_what_was_expected_and_what_came() {
    let syntax = "text.format.template: expected {}, {2}, {1:.3}, {{ or }}, got ";
    for (template, error) in [
        ("{x}", &*format!("{syntax}{{x}}")),
        ("{0}", &*format!("{syntax}{{0}}")),
        ("{1:.13}", &*format!("{syntax}{{1:.13}}")),
        ("{1:.}", &*format!("{syntax}{{1:.}}")),
        ("{+1}", &*format!("{syntax}{{+1}}")),
        ("a } b", &*format!("{syntax}}}")),
        ("a { b", &*format!("{syntax}{{ b")),
        (
            "{99999999999999999999}",
            &*format!("{syntax}{{9999999999999999999"),
        ),
        (
            "{}{}{}{}",
            "text.format.values: expected a value 4 for {}, got 3 of them",
        ),
        (
            "{5}",
            "text.format.values: expected a value 5 for {5}, got 3 of them",
        ),
        (
            "{2:.1}",
            "text.format.values: expected a number for {2:.1}, got string \"b\"",
        ),
    ] {
        let mut format = of("text.format", &[("template", template)]);
        format.set_many("values", values());
        format.now();
        assert_eq!(format.error().as_deref(), Some(error));
    }
}

#[test]
fn a_template_makes_no_text_without_end() {
    let mut format = of("text.format", &[("template", &"{1}".repeat(3_000))]);
    format.set_many("values", [Anything(Value::Text("ä".repeat(10_000).into()))]);
    expect(&mut format, &"ä".repeat(10_000));
}
