use super::*;

/// A reserved word or a name of the standard library is never a function name of ours.
#[test]
fn no_name_of_ours_hides_one_of_lua() {
    let reserved = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in",
        "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
        "continue", "goto", "type", "export",
    ];
    let standard = mlua::Lua::new();
    let stage = Stage::new(&[]);
    let completions = stage.script.completions();
    let ours = ["print", "require"];
    for name in &completions.globals {
        assert!(!reserved.contains(&name.as_str()), "{name} is reserved");
        let taken = standard.globals().contains_key(name.as_str()).unwrap();
        assert!(
            !taken || ours.contains(&name.as_str()),
            "{name} is Lua's own"
        );
    }
    for names in completions
        .members
        .values()
        .chain(completions.methods.values())
    {
        for name in names {
            assert!(!reserved.contains(&name.as_str()), "{name} is reserved");
        }
    }
}

#[test]
fn everything_that_completes_exists() {
    let stage = Stage::sketch("");
    let version = stage.load().unwrap();
    let completions = stage.script.completions();
    for name in completions.globals.iter().filter(|name| *name != "update") {
        let kind = stage
            .typed(&version, &format!("type({name})"))
            .unwrap()
            .unwrap();
        assert_ne!(kind, "\"nil\"", "{name}");
    }
    for (space, names) in &completions.members {
        for name in names {
            let kind = stage
                .typed(&version, &format!("type({space}.{name})"))
                .unwrap()
                .unwrap();
            assert!(
                kind == "\"function\"" || kind == "\"userdata\"",
                "{space}.{name} is a {kind}"
            );
        }
    }
    for (kind, node) in [
        ("number", "time"),
        ("picture", "osc()"),
        ("boolean", "time:gt(1)"),
    ] {
        for name in &completions.methods[kind] {
            let found = stage
                .typed(&version, &format!("type(({node}).{name})"))
                .unwrap()
                .unwrap();
            assert_eq!(found, "\"function\"", "{kind}:{name}");
        }
    }
}
