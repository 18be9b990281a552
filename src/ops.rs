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
    use crate::graph::Library;

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
}
