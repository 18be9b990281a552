use super::*;

/// What a sketch sends to o0.
fn shows(text: &str) -> String {
    let stage = Stage::sketch(text);
    let version = match stage.load() {
        Ok(version) => version,
        Err(error) => panic!("{error}\n{}", error.excerpt()),
    };
    stage.frame(1, 1.0);
    stage.picture(&version, 0)
}

fn message(text: &str) -> String {
    fails(text).to_string()
}

#[test]
fn arguments_go_by_position_or_by_name() {
    let same = [
        "solid(0.1, 0.2, 0.3, 0.4):out()",
        "solid{ r = 0.1, g = 0.2, b = 0.3, a = 0.4 }:out(o0)",
        "solid{ a = 0.4, b = 0.3, g = 0.2, r = 0.1 }:out()",
    ];
    for text in same {
        assert_eq!(shows(text), "solid[0.1, 0.2, 0.3, 0.4]", "{text}");
    }
    let chains = [
        "osc(10):rotate(2, 0):out()",
        "rotate(osc(10), 2, 0):out()",
        "osc(10):rotate{ angle = 2, speed = 0 }:out()",
    ];
    for text in chains {
        assert_eq!(shows(text), shows(chains[0]), "{text}");
    }
    assert_eq!(shows("solid():out()"), "solid[0.0, 0.0, 0.0, 1.0]");
    assert_eq!(shows("solid{}:out()"), "solid[0.0, 0.0, 0.0, 1.0]");
}

#[test]
fn wrong_arguments_are_named() {
    let cases = [
        (
            "osc('x')",
            "osc.frequency: expected number, got string \"x\"",
        ),
        (
            "osc(true)",
            "osc.frequency: expected number, got boolean true",
        ),
        ("osc(nil)", "osc.frequency: expected number, got nil"),
        (
            "osc({1, 2})",
            "osc.frequency: expected number, got a list of 2 values",
        ),
        ("osc(osc())", "osc.frequency: expected number, got picture"),
        (
            "osc(time:gt(1))",
            "osc.frequency: expected number, got boolean signal",
        ),
        (
            "osc(coroutine.create(print))",
            "osc.frequency: expected number, got a coroutine",
        ),
        (
            "osc(10, 0/0)",
            "osc.sync: expected a finite number, got nan",
        ),
        (
            "osc(1/0)",
            "osc.frequency: expected a finite number, got inf",
        ),
        (
            "osc(10):rotate(-1/0)",
            "rotate.angle: expected a finite number, got -inf",
        ),
        (
            "osc(1, 2, 3, 4)",
            "osc takes 3 arguments (frequency, sync, offset), got 4",
        ),
        (
            "osc{ frequencey = 3 }",
            "osc has no argument frequencey; did you mean frequency?",
        ),
        (
            "osc{ size = 3 }",
            "osc has no argument size; it takes frequency, sync, offset",
        ),
        (
            "osc{ 10, sync = 1 }",
            "osc: a table holds a list or names, not both",
        ),
        (
            "osc(10, { sync = 1 })",
            "osc: give the arguments by position, or all by name in one table",
        ),
        (
            "osc{ [true] = 1 }",
            "osc: expected names of arguments, got boolean true",
        ),
        (
            "osc():rotate{ source = osc() }",
            "rotate has no argument source; it takes ",
        ),
        ("osc(10):modulate(3)", "modulate."),
        (
            "osc():kalied(3)",
            "a picture has no method kalied; did you mean kaleid?",
        ),
        (
            "osc():colour(1)",
            "a picture has no method colour; did you mean color?",
        ),
        ("time:rotate(1)", "a number signal has no method rotate"),
        ("num.ad(1, 2)", "num has no ad; did you mean num.add?"),
        (
            "local x = audio.lo",
            "audio has no lo; did you mean audio.low?",
        ),
        ("audio()", "audio is a group of functions: write audio.band"),
        ("oscc(10)", "there is no oscc; did you mean osc?"),
        ("local x = oscc(10)", "there is no oscc; did you mean osc?"),
        ("zzzzzz.y()", "there is no zzzzzz"),
        (
            "mousee.x:range(0, 1)",
            "there is no mousee; did you mean mouse?",
        ),
        ("osc:kaleid(3)", "osc is a function: write osc():kaleid()"),
        ("osc():modulate(noise)", "modulate."),
        (
            "osc(osc)",
            "osc.frequency: expected number, got a function: osc is a function: write osc()",
        ),
        (
            "osc(num.add)",
            "osc.frequency: expected number, got a function: num.add is a function: write num.add()",
        ),
        (
            "osc():out(1)",
            "out: expected an output such as o1, got number 1",
        ),
        (
            "osc():out(osc())",
            "out: expected an output such as o1, got picture",
        ),
        ("osc():out(o1, o2)", "out takes one output, got 2 values"),
        (
            "osc().out()",
            "out: expected a picture, got nil; write picture:out()",
        ),
        ("time:out()", "a number signal has no method out"),
        ("osc():value()", "a picture has no method value"),
        (
            "render(osc())",
            "render: expected an output such as o1, got picture",
        ),
        ("hush(1)", "hush takes no arguments, got number 1"),
        (
            "bpm('fast')",
            "bpm.tempo: expected beats per minute from 1 to 999, got string \"fast\"",
        ),
        (
            "bpm(0)",
            "bpm.tempo: expected beats per minute from 1 to 999, got number 0",
        ),
        (
            "bpm(time)",
            "bpm.tempo: expected beats per minute from 1 to 999, got number signal",
        ),
        ("bpm(1, 2)", "bpm takes one tempo, got 2 values"),
        ("shader(1)", "shader.file: expected string, got number 1"),
        (
            "if time > 3 then end",
            "a signal can't be compared in Lua: write a:gt(b)",
        ),
        (
            "if 3 < time then end",
            "a signal can't be compared in Lua: write a:gt(b)",
        ),
        (
            "if time <= beat then end",
            "a signal can't be compared in Lua: write a:gt(b)",
        ),
        (
            "local s = 'at ' .. time",
            "a number signal is no text; write :to_text() for a number, :value()",
        ),
        ("local n = #time", "a number signal has no length"),
        ("time.x = 1", "a number signal has no field x to set"),
        (
            "local x = osc() + 1",
            "num.add: a picture isn't a number; pictures combine with :add()",
        ),
        (
            "local x = time + 'x'",
            "num.add.b: expected number, got string \"x\"",
        ),
        (
            "local x = time + nil",
            "num.add.b: expected number, got nil",
        ),
        ("osc()()", "this is a picture, not a function"),
        ("time(1)", "this is a number signal, not a function"),
        ("key(5)", "key.name: expected string, got number 5"),
        ("output(function() return 'x' end):out()", ""),
    ];
    for (text, expected) in cases
        .into_iter()
        .filter(|(_, expected)| !expected.is_empty())
    {
        let found = message(&format!("\n{text}"));
        let expected = format!("sketch.lua:2: {expected}");
        assert!(
            found.starts_with(&expected),
            "{text}\n   found {found}\nexpected {expected}"
        );
    }
}

/// Field case C23: forgetting `()`.
#[test]
fn a_function_in_place_of_any_argument_is_named() {
    let stage = Stage::new(&[]);
    let library = stage.script.library().clone();
    let specs: Vec<_> = library.borrow().iter().cloned().collect();
    let mut tried = 0;
    for spec in specs {
        for input in &spec.inputs {
            stage.write(
                "sketch.lua",
                format!("{}{{ {} = osc }}", spec.name, input.name).as_bytes(),
            );
            let error = stage.fails();
            let expected = format!("{}.{}: expected ", spec.name, input.name);
            assert!(error.message.starts_with(&expected), "{error}");
            assert!(
                error
                    .message
                    .ends_with("got a function: osc is a function: write osc()"),
                "{error}"
            );
            tried += 1;
        }
    }
    assert!(tried > 60, "only {tried} arguments");
}

#[test]
fn arithmetic_on_signals_makes_signals() {
    let stage = Stage::sketch(
        "a = time + 1 b = 1 - time c = time * beat d = time / 2 e = time % 2 f = time ^ 2 g = -time h = time // 2
         i = sin(time) j = max(time, 5) k = time:range(10, 20) l = sin(0) + floor(1.5)",
    );
    let version = stage.load().unwrap();
    stage.frame(1, 3.0);
    let cases = [
        ("a", "4"),
        ("b", "-2"),
        ("c", "18"),
        ("d", "1.5"),
        ("e", "1"),
        ("f", "9"),
        ("g", "-3"),
        ("h", "1"),
        ("j", "5"),
        ("k", "40"),
    ];
    for (name, expected) in cases {
        let shown = stage.typed(&version, &format!("{name}:value()")).unwrap();
        assert_eq!(shown.as_deref(), Some(expected), "{name}");
    }
    assert_eq!(stage.typed(&version, "l").unwrap().as_deref(), Some("1"));
    assert_eq!(
        stage.typed(&version, "i").unwrap().as_deref(),
        Some("number signal num.sin")
    );
}

#[test]
fn operators_without_inputs_are_nodes_and_calling_them_gives_the_same() {
    assert_eq!(
        prints(
            "print(time == time(), audio.low == audio.low(), o0 == o0, o0 == o1, time == beat, typeof(time))"
        ),
        ["true\ttrue\ttrue\tfalse\tfalse\tnode"]
    );
    assert_eq!(shows("src(o1):out()"), "src[o1]");
}

#[test]
fn what_a_sketch_asks_for_comes_back_in_order() {
    let stage = Stage::sketch("osc():out() bpm(90) render(o2) solid():out(o3) render() hush()");
    let version = stage.load().unwrap();
    let effects = version.effects().iter().map(|effect| match effect {
        Effect::Out { output, .. } => format!("out {output}"),
        Effect::Render(shown) => format!("{shown:?}"),
        Effect::Hush => "hush".to_owned(),
        Effect::Tempo(tempo) => format!("tempo {tempo}"),
    });
    let effects: Vec<String> = effects.collect();
    assert_eq!(
        effects,
        ["out 0", "tempo 90", "One(2)", "out 3", "Grid", "hush"]
    );
    let answer = stage.answer(&version, "osc(20):out(o1)").unwrap();
    assert!(matches!(
        &answer.effects[..],
        [Effect::Out { output: 1, .. }]
    ));
    assert_eq!(answer.text, None);
    assert_eq!(
        stage.typed(&version, "osc(20)").unwrap().as_deref(),
        Some("picture osc")
    );
    assert_eq!(version.effects().len(), 6);
}

#[test]
fn a_node_lives_as_long_as_somebody_holds_it() {
    let stage = Stage::sketch("kept = solid(0.5) solid(0.1) osc():out()");
    let version = stage.load().unwrap();
    let script = &stage.script;
    let sweep = || {
        script.collect();
        let held = script.held();
        script.graph().borrow_mut().keep_only(held);
        script.graph().borrow().len()
    };
    let with_all = sweep();
    drop(stage.answer(&version, "kept = nil").unwrap());
    assert_eq!(sweep(), with_all - 1);
    drop(version);
    assert_eq!(sweep(), with_all - 2);
}

#[test]
fn nodes_say_where_they_were_made() {
    let stage = Stage::new(&[
        (
            "sketch.lua",
            "\nlocal made = require 'lib.make'\nmade():out()",
        ),
        (
            "lib/make.lua",
            "return function()\n  return num.div(1, 0) and solid(function() error 'no' end) end",
        ),
    ]);
    let version = stage.load().unwrap();
    stage.frame(1, 0.0);
    let id = stage.out(&version, 0);
    stage.eval(id);
    let graph = stage.script.graph().borrow();
    let failing = graph.failures([id]);
    let origin = graph.error(failing[0]).unwrap().0;
    assert_eq!(origin, Some("lib/make.lua:2"));
}

#[test]
fn a_shader_beside_the_sketch_becomes_a_function() {
    let wgsl = "//! Turns the picture red.\n\nstruct Params {\n    /// How much. [1, 0..1]\n    amount: f32,\n}\n\nfn red_tint(c: vec4f, params: Params) -> vec4f {\n    return vec4f(params.amount, c.gba);\n}\n";
    let stage = Stage::new(&[
        (
            "sketch.lua",
            "local tint = shader 'red_tint.wgsl' tint(solid(), 0.5):out() help(tint)",
        ),
        ("red_tint.wgsl", wgsl),
    ]);
    let version = stage.load().unwrap();
    stage.frame(1, 0.0);
    assert_eq!(
        stage.picture(&version, 0),
        "red_tint[0.5, solid[0.0, 0.0, 0.0, 1.0]]"
    );
    let root = stage.folder.path().canonicalize().unwrap();
    assert!(version.files().contains(&root.join("red_tint.wgsl")));
    let help = stage.printed().join("\n");
    assert!(help.contains("Turns the picture red."), "{help}");
    // It is a function only, so that no method is told.
    assert!(!help.contains(":red_tint("), "{help}");
    stage.write(
        "red_tint.wgsl",
        wgsl.replace("params.amount", "params.amont").as_bytes(),
    );
    let error = stage.fails();
    assert_eq!(
        (error.file(), error.line()),
        (Some("red_tint.wgsl"), Some(9)),
        "{error}"
    );
    assert_eq!(error.cause(), Cause::Shader);
    for (name, message) in [
        ("none.wgsl", "shader.file: \"none.wgsl\" not found"),
        (
            "../x.wgsl",
            "shader.file: \"../x.wgsl\" is outside the project folder",
        ),
    ] {
        stage.write("sketch.lua", format!("shader '{name}'").as_bytes());
        assert_eq!(
            stage.fails().to_string(),
            format!("sketch.lua:1: {message}")
        );
    }
}

/// `color` tints a picture, and is the group of what makes colours.
#[test]
fn a_name_may_be_a_function_and_a_group() {
    let stage =
        Stage::sketch("a = color(osc(), 1, 0, 0) b = color.r('#ff0000') c = osc():color(1)");
    let version = stage.load().unwrap();
    let typed = |text: &str| stage.typed(&version, text).unwrap();
    assert_eq!(typed("b:value()").as_deref(), Some("1"));
    stage.answer(&version, "help(color)").unwrap();
    let help = stage.printed().join("\n");
    for part in ["color(picture, r, g, b, a) -> picture", "color.hsv "] {
        assert!(help.contains(part), "{part}: {help}");
    }
    let made = crate::script::definitions(&stage.script.library().borrow());
    assert_eq!(made.matches("declare color:").count(), 1);
}

#[test]
fn help_explains_functions_names_and_nodes() {
    let stage = Stage::sketch("");
    let version = stage.load().unwrap();
    let helps = |what: &str| {
        stage.answer(&version, &format!("help({what})")).unwrap();
        stage.printed().join("\n")
    };
    let osc = helps("osc");
    for part in [
        "osc(frequency, sync, offset) -> picture",
        "60",
        "0..200",
        "Coloured bands",
    ] {
        assert!(osc.contains(part), "{part}: {osc}");
    }
    assert_eq!(helps("'osc'"), osc);
    let add = helps("'add'");
    let also = add.lines().find(|line| line.starts_with("also: "));
    assert!(also.is_some_and(|line| line.contains("num.add")), "{add}");
    assert!(
        helps("'fract'").contains("num.fract(value)"),
        "{}",
        helps("'fract'")
    );
    assert!(
        helps("'audio'").contains("audio.low"),
        "{}",
        helps("'audio'")
    );
    assert_eq!(helps("audio"), helps("'audio'"));
    let shown = stage.typed(&version, "midi").unwrap();
    assert_eq!(shown.as_deref(), Some("midi: a group of cc, note"));
    assert!(
        helps("osc()").contains("methods: add, "),
        "{}",
        helps("osc()")
    );
    assert!(
        helps("time").contains("time -> number signal"),
        "{}",
        helps("time")
    );
    assert!(helps("render").contains("window"), "{}", helps("render"));
    assert!(helps("").contains(" kaleid "), "{}", helps(""));
    assert_eq!(helps("floor"), helps("'num.floor'"));
    assert_eq!(
        helps("'kalied'"),
        "there is no kalied; did you mean kaleid?"
    );
    assert_eq!(
        helps("5"),
        "number 5: no function of gobo; help() lists what there is"
    );
}
