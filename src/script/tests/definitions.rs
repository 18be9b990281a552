use super::*;
use crate::script::{definitions, help, listing, pages, reference};

/// Fails where a generated file isn't what it is to be; with `GOBO_UPDATE` set, it is written.
fn check_current(files: &[(String, String)], test: &str) {
    for (name, made) in files {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        if std::env::var_os("GOBO_UPDATE").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, made).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == *made,
            "{name} is stale: run GOBO_UPDATE=1 cargo test --lib {test}"
        );
    }
}

/// The type file that `gobo new` hands out is the one that these operators make.
#[test]
fn the_type_file_is_current() {
    let stage = Stage::new(&[]);
    let made = definitions(&stage.script.library().borrow());
    let file = ("scripts/types/gobo.d.luau".to_owned(), made);
    check_current(&[file], "the_type_file_is_current");
}

const PAGES: &str = "docs/reference";

#[test]
fn the_reference_is_current() {
    let stage = Stage::new(&[]);
    let made = pages(&stage.script.library().borrow());
    let named = made
        .iter()
        .map(|(name, text)| (format!("{PAGES}/{name}"), text.clone()));
    check_current(&named.collect::<Vec<_>>(), "the_reference_is_current");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGES);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if !made.contains_key(&*name) && std::env::var_os("GOBO_UPDATE").is_some() {
            std::fs::remove_file(&path).unwrap();
        } else {
            assert!(made.contains_key(&*name), "{name} is no page any more");
        }
    }
}

/// The index has a line for each operator, whose link leads to a heading of its own.
#[test]
fn every_operator_has_an_anchor_in_the_reference() {
    let stage = Stage::new(&[]);
    let library = stage.script.library().borrow();
    let pages = pages(&library);
    for spec in library.iter() {
        let entry = format!("* [`{}`](", spec.name);
        let (_, link) = pages["README.md"].split_once(&entry).unwrap();
        let (file, anchor) = link.split(')').next().unwrap().split_once('#').unwrap();
        let headings = pages[file]
            .lines()
            .filter_map(|line| line.strip_prefix("## "));
        // GitHub drops the punctuation of a heading.
        let anchors = headings.map(|heading| heading.replace(['`', '.'], ""));
        assert_eq!(
            anchors.filter(|of| of == anchor).count(),
            1,
            "{}",
            spec.name
        );
    }
    for (name, page) in &pages {
        for row in page.lines().filter(|line| line.starts_with('|')) {
            let bars = row.matches('|').count() - row.matches("\\|").count();
            assert_eq!(bars, 6, "{name}: {row}");
        }
    }
}

#[test]
fn inputs_of_every_sort_are_told() {
    let stage = Stage::new(&[]);
    let library = stage.script.library().borrow();
    for (name, parts) in [
        (
            "list.of",
            &[
                "list.of(items…) -> list signal\n",
                "number, any number of them ",
            ][..],
        ),
        (
            "color.pick",
            &["color.pick(index, colors…) -> colour signal"],
        ),
        (
            "with_time",
            &[
                "-> of the kind of source\nsource:with_time(offset, ",
                " any kind  ",
                " number, optional  ",
                " number 1, -4..4, per second",
            ],
        ),
        ("bool.pick", &["-> of the kind of yes and no"]),
        ("num.gt", &["num.gt(a, b) -> boolean signal\na:gt(b)\n"]),
        (
            "clamp",
            &[
                "num.clamp(value, low, high) -> number signal\nvalue:clamp(low, high)\nclamp(value, low, high) -- a number where only numbers are given\n",
                "also: vec2.clamp",
            ],
        ),
        (
            "quat.of_axis",
            &["quat.of_axis(axis, angle) -> quaternion signal\nA rotation"],
        ),
        ("num.ease", &["\"in_out_cubic\" of linear, in_sine"]),
        ("picture", &["picture\n  add ", "\n  osc "]),
    ] {
        let text = reference(&library, name).unwrap();
        for part in parts {
            assert!(text.contains(part), "{name}: {part}\n{text}");
        }
    }
}

#[test]
fn help_names_everything_in_lines_that_fit() {
    let stage = Stage::new(&[]);
    let library = stage.script.library().borrow();
    let text = help::overview(&library);
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    let words: Vec<&str> = text.split_whitespace().collect();
    for spec in library.iter() {
        assert!(words.contains(&spec.short_name()), "{}: {text}", spec.name);
    }
    for name in ["render", "out", "sin"] {
        assert!(words.contains(&name), "{name}: {text}");
    }
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
