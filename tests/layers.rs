//! Reads every import of `src` and fails on one that names a later layer, or an outside crate away
//! from the layer that owns it. The order is the one of the crate docs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use imports::{declared_modules, exported_macros, paths};
use words::tokens;

#[path = "layers/imports.rs"]
mod imports;
#[path = "layers/words.rs"]
mod words;

/// A layer imports itself and the layers before it.
const LAYERS: [&str; 11] = [
    "value", "graph", "input", "play", "ops", "shader", "script", "device", "gpu", "show", "app",
];

/// The file that starts the program, which stands above every layer.
const ROOT: &str = "main";

/// Outside crates with one owner each: replacing one touches one layer.
const OWNERS: [(&str, &str); 18] = [
    ("inventory", "graph"),
    ("naga", "shader"),
    ("mlua", "script"),
    ("cpal", "device"),
    ("midir", "device"),
    ("realfft", "device"),
    ("pollster", "gpu"),
    ("wgpu", "gpu"),
    ("clap", "app"),
    ("crossterm", "app"),
    ("indicatif", "app"),
    ("notify", "app"),
    ("png", "app"),
    ("rustyline", "app"),
    ("signal_hook", "app"),
    ("winit", "app"),
    ("x11rb", "app"),
    ("anyhow", ROOT),
];

/// Small crates of vocabulary that any layer may use.
const FREE: [&str; 8] = [
    "bytemuck",
    "log",
    // The operating system, where std stops.
    "rustix",
    "slotmap",
    "smallvec",
    // Deep chains are walked in several layers.
    "stacker",
    "strsim",
    "thiserror",
];

#[test]
fn every_import_respects_the_order_of_the_layers() {
    let sources = sources();
    assert!(
        sources.len() >= LAYERS.len(),
        "found only {} files in src",
        sources.len()
    );
    let macros = macro_layers(&sources);
    let found: Vec<String> = sources
        .iter()
        .flat_map(|source| {
            violations(&source.module, &source.text, &macros)
                .into_iter()
                .map(|violation| {
                    format!(
                        "src/{}:{}: {}",
                        source.path.display(),
                        violation.line,
                        violation.message
                    )
                })
        })
        .collect();
    assert!(
        found.is_empty(),
        "{} imports break the layers:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn every_file_lies_in_a_known_layer() {
    for source in sources() {
        if let Some(layer) = source.module.first() {
            assert!(
                LAYERS.contains(&layer.as_str()),
                "src/{} is in no layer",
                source.path.display()
            );
        }
    }
}

#[test]
fn every_outside_crate_has_an_owner_or_is_free() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    for name in dependencies(&manifest) {
        let owned = OWNERS.iter().any(|(owned, _)| *owned == name);
        assert!(
            owned || FREE.contains(&name.as_str()),
            "{name} is a dependency without an owner layer: name one in tests/layers.rs"
        );
    }
}

// --- the checker, on small sources -------------------------------------------------------------

#[test]
fn an_import_of_a_later_layer_is_found() {
    assert_eq!(
        messages("ops/pixel", "\nuse crate::gpu::Device;"),
        ["2: ops imports gpu, which comes later"]
    );
}

#[test]
fn an_import_of_an_earlier_layer_or_of_the_own_is_fine() {
    assert!(
        messages(
            "gpu",
            "use crate::shader::Pass; use crate::gpu::plan::Plan;"
        )
        .is_empty()
    );
}

#[test]
fn nested_groups_are_opened() {
    assert_eq!(
        messages(
            "graph/eval",
            "use crate::{value::{Value, Kind}, graph::Node,\n show::{self, frame::Frame}};"
        ),
        [
            "2: graph imports show, which comes later",
            "2: graph imports show, which comes later"
        ]
    );
}

#[test]
fn paths_through_super_are_resolved() {
    assert_eq!(
        messages("value/image", "use super::super::gpu::Texture;"),
        ["1: value imports gpu, which comes later"]
    );
    assert_eq!(
        messages(
            "value/image",
            "use super::super::{graph, value};\nuse super::curve;"
        ),
        ["1: value imports graph, which comes later"]
    );
    assert_eq!(
        messages(
            "value",
            "mod tests {\n use super::super::app::run;\n use super::Kind; }\nuse self::curve::Ease;"
        ),
        ["2: value imports app, which comes later"]
    );
}

#[test]
fn paths_outside_of_use_lines_count_too() {
    assert_eq!(
        messages(
            "play",
            "fn start() { let clock = crate::show::Clock::new(); }\n\
             fn size() -> wgpu::Extent3d { todo() }\n\
             fn raw() -> ::midir::MidiInput { todo() }"
        ),
        [
            "1: play imports show, which comes later",
            "2: play uses wgpu, which belongs to gpu",
            "3: play uses midir, which belongs to device"
        ]
    );
}

#[test]
fn an_outside_crate_is_for_its_owner_alone() {
    assert!(
        messages(
            "script/convert",
            "use mlua::{Lua, Value}; fn f() -> mlua::Result<()> {}"
        )
        .is_empty()
    );
    assert_eq!(
        messages("show", "use mlua as lua;\nextern crate winit;"),
        [
            "1: show uses mlua, which belongs to script",
            "2: show uses winit, which belongs to app"
        ]
    );
    assert_eq!(
        messages("app", "use {anyhow::Context, winit::window::Window};"),
        ["1: app uses anyhow, which belongs to main"]
    );
}

#[test]
fn vocabulary_crates_are_for_everyone() {
    assert!(messages("value", "use smallvec::SmallVec; use thiserror::Error;").is_empty());
}

#[test]
fn a_module_of_ours_may_be_named_like_an_outside_crate() {
    assert!(
        messages(
            "show",
            "mod png; use png::Size; fn f() { x.wgpu::<u8>(); crate::show::wgpu::go() }"
        )
        .is_empty()
    );
}

#[test]
fn comments_and_strings_are_no_imports() {
    let source = r##"
        // use crate::app;
        /* use crate::app; /* nested */ wgpu::Device */
        /// See [`crate::app`].
        const A: &str = "use crate::app; \" wgpu::Device";
        const B: &str = r#"use crate::app; " wgpu::Device"#;
        const C: char = '"'; const D: char = '\''; fn e<'a>(x: &'a str) {}
        const F: &[u8] = b"wgpu::Device"; impl<'a> G<'a> { fn h() -> impl Sized + use<'a> {} }
    "##;
    assert!(messages("value", source).is_empty());
    let after = "const C: char = '\"'; use crate::app; const D: char = '\"';";
    assert_eq!(
        messages("value", after),
        ["1: value imports app, which comes later"]
    );
}

#[test]
fn a_macro_counts_as_its_defining_layer() {
    let macros = BTreeMap::from([("operator".to_owned(), "graph".to_owned())]);
    let in_layer = |module: &str| {
        violations(&path_of(module), "crate::operator! { }", &macros)
            .into_iter()
            .map(|found| found.message)
            .collect::<Vec<_>>()
    };
    assert!(in_layer("ops/wave").is_empty());
    assert_eq!(
        in_layer("value"),
        ["value imports graph, which comes later"]
    );
    assert_eq!(
        messages(
            "graph/operator",
            "macro_rules! m { () => { $crate::app::go() } }"
        ),
        ["1: graph imports app, which comes later"]
    );
}

#[test]
fn only_exported_macros_are_named_at_the_root() {
    let source =
        "macro_rules! inner { () => {} }\n#[macro_export]\nmacro_rules! outer { () => {} }";
    assert_eq!(exported_macros(&tokens(source)), ["outer"]);
}

#[test]
fn a_name_at_the_root_of_the_crate_hides_its_layer() {
    assert_eq!(
        messages("gpu", "use crate::Show;\nuse crate::*;"),
        [
            "1: crate::Show hides which layer it comes from",
            "2: crate::* hides which layer it comes from"
        ]
    );
}

#[test]
fn the_manifest_is_read_in_every_dependency_table() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\nanyhow = \"1\"\n# no\nsignal-hook = { version = \"0\",\n features = [] }\n\
        [dependencies.png]\nversion = \"0\"\n[target.'cfg(unix)'.dependencies]\nrustix = \"1\"\n[dev-dependencies]\ntempfile = \"3\"\n[lints.rust]\nunsafe_code = \"forbid\"";
    assert_eq!(
        dependencies(manifest),
        ["anyhow", "signal_hook", "png", "rustix"]
    );
}

// --- reading the sources -----------------------------------------------------------------------

struct Source {
    path: PathBuf,
    module: Vec<String>,
    text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<Source> {
    let src = root().join("src");
    let mut folders = vec![src.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(&src).unwrap().to_owned();
                let module = path_of(path.with_extension("").to_str().unwrap());
                found.push(Source { path, module, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// `gpu/plan` is the module `gpu::plan`; `lib` and `main` are the root of their crate.
fn path_of(file: &str) -> Vec<String> {
    match file {
        "lib" | "main" => Vec::new(),
        _ => file.split('/').map(str::to_owned).collect(),
    }
}

/// The layer of each macro that is exported, which names it at the root of the crate.
fn macro_layers(sources: &[Source]) -> BTreeMap<String, String> {
    let mut macros = BTreeMap::new();
    for source in sources {
        if let Some(layer) = source.module.first() {
            for name in exported_macros(&tokens(&source.text)) {
                macros.insert(name, layer.clone());
            }
        }
    }
    macros
}

fn dependencies(manifest: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut inside = false;
    for line in manifest.lines() {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_end_matches(']');
            inside = header == "dependencies" || header.ends_with(".dependencies");
            if let Some(name) = header.strip_prefix("dependencies.") {
                names.push(name.replace('-', "_"));
            }
        } else if inside
            && let Some((name, _)) = line.split_once('=')
            && line.starts_with(|first: char| first.is_ascii_alphabetic())
        {
            names.push(name.trim().replace('-', "_"));
        }
    }
    names
}

// --- finding what a source names ---------------------------------------------------------------

#[derive(Debug, PartialEq)]
struct Violation {
    line: usize,
    message: String,
}

fn messages(module: &str, source: &str) -> Vec<String> {
    violations(&path_of(module), source, &BTreeMap::new())
        .into_iter()
        .map(|found| format!("{}: {}", found.line, found.message))
        .collect()
}

fn violations(
    module: &[String],
    source: &str,
    macros: &BTreeMap<String, String>,
) -> Vec<Violation> {
    let tokens = tokens(source);
    let own = module.first().map_or(ROOT, String::as_str);
    let ours = declared_modules(&tokens);
    paths(&tokens, module)
        .into_iter()
        .filter_map(|path| {
            let message = match &path.names[0][..] {
                "crate" => inner_violation(own, path.names.get(1)?, macros),
                name if ours.contains(&name) => None,
                name => outer_violation(own, name),
            }?;
            Some(Violation {
                line: path.line,
                message,
            })
        })
        .collect()
}

fn inner_violation(own: &str, named: &str, macros: &BTreeMap<String, String>) -> Option<String> {
    let rank = |layer: &str| LAYERS.iter().position(|known| *known == layer);
    // The root stands above the layers and may name them all.
    let own_rank = rank(own)?;
    let named = macros.get(named).map_or(named, String::as_str);
    match rank(named) {
        Some(named_rank) if named_rank > own_rank => {
            Some(format!("{own} imports {named}, which comes later"))
        }
        Some(_) => None,
        None => Some(format!("crate::{named} hides which layer it comes from")),
    }
}

fn outer_violation(own: &str, named: &str) -> Option<String> {
    let (_, owner) = OWNERS.iter().find(|(name, _)| *name == named)?;
    (*owner != own).then(|| format!("{own} uses {named}, which belongs to {owner}"))
}
