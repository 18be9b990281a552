//! What holds for every operator, and tables of what formulas give.
#![allow(clippy::panic, reason = "a failing test should panic")]

use std::rc::Rc;
use std::sync::Arc;

use super::probe::Probe;
use crate::graph::{Graph, Library, Source, Spec};
use crate::value::{Gradient, GradientBlend, Kind, Stop, Value};

#[test]
fn every_operator_and_input_is_documented() {
    let library = Library::built_in();
    assert!(library.get("num.add").is_some() && library.get("audio.low").is_some());
    for spec in library.iter() {
        let name = &spec.name;
        assert!(!spec.summary().is_empty(), "{name} has no documentation");
        for input in &spec.inputs {
            let name = format!("{name}.{}", input.name);
            assert!(!input.doc.is_empty(), "{name} has no documentation");
            assert!(input.default.is_finite(), "{name} has no finite default");
            let range = input.range.as_ref().zip(match input.default {
                Value::Number(n) => Some(n),
                Value::Int(n) => Some(n as f64),
                _ => None,
            });
            if let Some((range, default)) = range {
                assert!(
                    range.contains(&default),
                    "{name}: {default} is not in {range:?}"
                );
            }
        }
    }
}

/// A value of that kind with `n` in it everywhere.
fn filled(kind: Kind, n: f64) -> Value {
    let f = n as f32;
    let f = if f.is_finite() || !n.is_finite() {
        f
    } else {
        f32::MAX.copysign(f)
    };
    match kind {
        Kind::Int => Value::Int(n as i64),
        Kind::Bool => Value::Bool(n > 0.0),
        Kind::Text => Value::Text(n.to_string().into()),
        Kind::Vec2 => Value::Vec2([f; 2]),
        Kind::Vec3 => Value::Vec3([f; 3]),
        Kind::Vec4 => Value::Vec4([f; 4]),
        Kind::Color => Value::Color([f; 4]),
        Kind::Quaternion => Value::Quaternion([f; 4]),
        Kind::Mat4 => Value::Mat4(Arc::new([f; 16])),
        Kind::List => Value::List([n, -n, n, 0.0].into()),
        Kind::Gradient => {
            let stop = |at| Stop { at, color: [f; 4] };
            Value::Gradient(Arc::new(Gradient::new(
                vec![stop(f), stop(-f)],
                GradientBlend::Linear,
            )))
        }
        _ => Value::Number(n),
    }
}

/// Feeds every input of an operator from `values` by its place; returns whether each was taken, what came out in two
/// frames, and whether that failed.
fn try_with(spec: &Rc<Spec>, values: impl Fn(usize) -> f64) -> (bool, [Value; 2], bool) {
    let mut graph = Graph::default();
    graph.begin_frame(1);
    let node = graph.add(spec);
    let mut is_taken = true;
    for (at, input) in spec.inputs.iter().enumerate() {
        let source = Source::Constant(filled(input.kind, values(at)));
        let is_fixed = matches!(
            input.kind,
            Kind::Choice
                | Kind::Image
                | Kind::Curve
                | Kind::Mesh
                | Kind::Points
                | Kind::Camera
                | Kind::Material
                | Kind::Light
                | Kind::Command
                | Kind::Pose
                | Kind::Object
        );
        if !is_fixed {
            let source = match input.is_many {
                true => Source::Many([source.clone(), source].into()),
                false => source,
            };
            is_taken &= graph.set(node, at, source).is_ok();
        }
    }
    let first = graph.eval(node).unwrap_or(Value::Bool(false));
    graph.begin_frame(2);
    let second = graph.eval(node).unwrap_or(Value::Bool(false));
    (is_taken, [first, second], graph.error(node).is_some())
}

#[test]
fn no_number_makes_an_operator_panic_or_give_one_that_is_not_finite() {
    const ODD: [f64; 10] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1e308,
        -1e308,
        f64::MIN_POSITIVE,
        1e-310,
        1e15,
    ];
    for spec in Library::built_in().iter() {
        for n in 0..ODD.len() {
            for stride in 0..ODD.len() {
                let (_, values, _) = try_with(spec, |at| ODD[(n + at * stride) % ODD.len()]);
                for value in values {
                    assert!(
                        value.is_finite(),
                        "{} gave {value} from {n}, {stride}",
                        spec.name
                    );
                    assert!(
                        spec.output == Kind::Any || spec.output.accepts(value.kind()),
                        "{} gave {value}",
                        spec.name
                    );
                }
            }
        }
        let has_numbers = spec.inputs.iter().any(|input| {
            matches!(
                input.kind,
                Kind::Number
                    | Kind::Vec2
                    | Kind::Vec3
                    | Kind::Vec4
                    | Kind::Color
                    | Kind::List
                    | Kind::Any
            )
        });
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let (is_taken, values, _) = try_with(spec, |_| bad);
            assert!(
                values.iter().all(Value::is_finite),
                "{} gave {values:?} from {bad}",
                spec.name
            );
            assert!(!is_taken || !has_numbers, "{} took {bad}", spec.name);
        }
    }
}

#[test]
fn no_operator_fails_on_its_defaults() {
    for spec in Library::built_in().iter() {
        let mut probe = Probe::new(&spec.name);
        // There is nothing to choose from among no values.
        for input in spec.inputs.iter().filter(|input| input.is_many) {
            probe.set_many(&input.name, [Value::empty(input.kind)]);
        }
        for frame in 0..3 {
            let value = probe.at(f64::from(frame) * 0.5);
            assert_eq!(probe.error(), None, "{} gave {value}", spec.name);
        }
    }
}

#[test]
fn formulas_give_what_they_say() {
    let table: &[(&str, &[f64], f64)] = &[
        ("num.sub", &[5.0, 3.0], 2.0),
        ("num.div", &[1.0, 0.0], 0.0),
        ("num.mod", &[-1.0, 3.0], 2.0),
        ("num.pow", &[2.0, 10.0], 1024.0),
        ("num.fract", &[-0.25], 0.75),
        ("num.round", &[2.5], 3.0),
        ("num.sign", &[-0.0], 0.0),
        ("num.log", &[std::f64::consts::E], 1.0),
        ("num.sqrt", &[-4.0], 0.0),
        ("num.atan2", &[1.0, 0.0], std::f64::consts::FRAC_PI_2),
        ("num.clamp", &[5.0, 2.0, 1.0], 2.0),
        ("num.range", &[0.25, 10.0, 20.0], 12.5),
        ("num.lerp", &[10.0, 20.0, 1.5], 25.0),
        ("num.remap", &[5.0, 0.0, 10.0, 1.0, 3.0], 2.0),
        ("num.remap", &[5.0, 1.0, 1.0, 7.0, 9.0], 7.0),
        ("num.step", &[0.5, 0.5], 1.0),
        ("num.smoothstep", &[0.25, 0.0, 1.0], 0.15625),
        ("num.smoothstep", &[2.0, 2.0, 2.0], 1.0),
    ];
    let library = Library::built_in();
    let give = |name: &str, inputs: &[f64]| {
        let spec = library.get(name);
        let spec = spec.unwrap_or_else(|| panic!("there is no {name}"));
        let (_, [value, _], is_failed) = try_with(spec, |at| inputs[at]);
        assert!(!is_failed, "{name}{inputs:?}");
        value
    };
    for (name, inputs, expected) in table {
        assert_eq!(
            give(name, inputs),
            Value::Number(*expected),
            "{name}{inputs:?}"
        );
    }
    for (name, inputs, expected) in [
        ("num.gt", [2.0, 1.0, 0.0], true),
        ("num.lt", [2.0, 1.0, 0.0], false),
        ("num.eq", [1.0, 1.5, 0.5], true),
        ("bool.and_", [1.0, 0.0, 0.0], false),
        ("bool.or_", [1.0, 0.0, 0.0], true),
        ("bool.not_", [1.0, 0.0, 0.0], false),
    ] {
        assert_eq!(
            give(name, &inputs),
            Value::Bool(expected),
            "{name}{inputs:?}"
        );
    }
}
