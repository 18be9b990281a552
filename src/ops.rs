//! The operators declared in Rust, a file for each category. Per-pixel functions are WGSL files instead, see
//! [`shader`](crate::shader).

pub mod context;
pub mod input;
pub mod number;
pub mod output;
pub mod smooth;
pub mod time;

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use crate::graph::{Graph, Library, Source, Spec};
    use crate::value::{Kind, Value};

    #[test]
    fn every_operator_and_input_is_documented() {
        let library = Library::built_in();
        assert!(library.get("num.add").is_some() && library.get("audio.low").is_some());
        for spec in library.iter() {
            assert!(
                !spec.summary().is_empty(),
                "{} has no documentation",
                spec.name
            );
            for input in &spec.inputs {
                assert!(
                    !input.doc.is_empty(),
                    "{}.{} has no documentation",
                    spec.name,
                    input.name
                );
                assert!(
                    input.default.is_finite(),
                    "{}.{} has no finite default",
                    spec.name,
                    input.name
                );
            }
        }
    }

    /// What an operator gives for inputs of one value each, and whether it carries an error.
    fn try_with(spec: &Rc<Spec>, values: impl Fn(usize) -> f64) -> (Value, bool) {
        let mut graph = Graph::default();
        graph.begin_frame(1);
        let node = graph.add(spec);
        for (at, input) in spec.inputs.iter().enumerate() {
            let value = match input.kind {
                Kind::Number => Value::Number(values(at)),
                Kind::Bool => Value::Bool(values(at) > 0.0),
                _ => continue,
            };
            assert_eq!(graph.set(node, at, Source::Constant(value)), Ok(()));
        }
        (
            graph.eval(node).unwrap_or(Value::Bool(false)),
            graph.error(node).is_some(),
        )
    }

    #[test]
    fn no_number_makes_an_operator_panic_or_give_one_that_is_not_finite() {
        const ODD: [f64; 9] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            1e308,
            -1e308,
            f64::MIN_POSITIVE,
            1e-310,
        ];
        for spec in Library::built_in().iter() {
            for n in 0..ODD.len() {
                for stride in 0..ODD.len() {
                    let (value, _) = try_with(spec, |at| ODD[(n + at * stride) % ODD.len()]);
                    assert!(
                        value.is_finite(),
                        "{} gave {value} from {n}, {stride}",
                        spec.name
                    );
                }
            }
            let has_numbers = spec.inputs.iter().any(|input| input.kind == Kind::Number);
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let (value, is_failed) = try_with(spec, |_| bad);
                assert!(value.is_finite(), "{} gave {value} from {bad}", spec.name);
                assert!(
                    is_failed || !has_numbers || spec.name == "bool.pick",
                    "{} took {bad}",
                    spec.name
                );
            }
        }
    }

    #[test]
    fn formulas_give_what_they_say() {
        let library = Library::built_in();
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
        for (name, inputs, expected) in table {
            let spec = library
                .get(name)
                .unwrap_or_else(|| panic!("there is no {name}"));
            let (value, is_failed) = try_with(spec, |at| inputs[at]);
            assert_eq!(
                (value, is_failed),
                (Value::Number(*expected), false),
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
            let spec = library
                .get(name)
                .unwrap_or_else(|| panic!("there is no {name}"));
            assert_eq!(
                try_with(spec, |at| inputs[at]).0,
                Value::Bool(expected),
                "{name}{inputs:?}"
            );
        }
    }
}
