use super::*;
use crate::script::{definitions, listing, reference};

/// The type file that `gobo new` hands out is the one that these operators make.
#[test]
fn the_type_file_is_current() {
    let stage = Stage::new(&[]);
    let made = definitions(&stage.script.library().borrow());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/types/gobo.d.luau");
    if std::env::var_os("GOBO_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "scripts/types/gobo.d.luau is stale: run GOBO_UPDATE=1 cargo test --lib the_type_file_is_current"
    );
}

#[test]
fn every_operator_has_a_reference_and_is_listed() {
    let stage = Stage::new(&[]);
    let library = stage.script.library().borrow();
    let list = listing(&library);
    for spec in library.iter() {
        let text = reference(&library, &spec.name).unwrap();
        assert!(text.starts_with(&spec.name), "{text}");
        for input in &spec.inputs {
            assert!(text.contains(&input.name), "{}: {text}", input.name);
        }
        assert!(
            list.contains(&format!("  {} ", spec.name)),
            "{} is not listed",
            spec.name
        );
    }
    assert_eq!(reference(&library, "no_such_name"), None);
}
