use super::*;

#[test]
fn a_function_gives_an_argument_its_value_in_each_frame() {
    let stage = Stage::sketch(
        "solid(function(ctx) return ctx.time / 10 end, function() return 0.25 end):out()",
    );
    let version = stage.load().unwrap();
    for (frame, time) in [(1, 1.0), (2, 2.0)] {
        stage.frame(frame, time);
        assert_eq!(
            stage.picture(&version, 0),
            format!("solid[{}, 0.25, 0.0, 1.0]", time / 10.0)
        );
    }
}

#[test]
fn a_function_sees_the_whole_context() {
    let text = "solid(function(ctx) seen = {ctx.time, ctx.beat, ctx.frame, ctx.dt, ctx.tempo, ctx.width, ctx.height, ctx.aspect} return 1 end):out()";
    let stage = Stage::sketch(text);
    let version = stage.load().unwrap();
    stage.frame(1, 1.0);
    stage.picture(&version, 0);
    stage.frame(2, 1.0625);
    stage.picture(&version, 0);
    assert_eq!(
        stage
            .typed(&version, "table.concat(seen, ' ')")
            .unwrap()
            .as_deref(),
        Some("\"1.0625 2.125 2 0.0625 120 1280 720 1.7777777777777777\"")
    );
}

#[test]
fn a_function_runs_once_a_frame_and_context() {
    let stage = Stage::sketch(
        "count = 0
         local f = num.add(function(ctx) count += 1 return ctx.time end, 0)
         solid(f, f, f):add(solid(f)):out()
         solid(f):with_time{ offset = 1 }:out(o1)",
    );
    let version = stage.load().unwrap();
    for frame in 1..=3 {
        stage.frame(frame, frame as f64);
        for output in [0, 1, 0, 1] {
            stage.picture(&version, output);
        }
        assert_eq!(
            stage.typed(&version, "count").unwrap(),
            Some((frame * 2).to_string())
        );
    }
}

#[test]
fn an_equal_result_makes_nothing_else_run() {
    let stage = Stage::sketch("solid(function() return 0.5 end):rotate(1, 0):out()");
    let version = stage.load().unwrap();
    stage.script.graph().borrow_mut().take_log();
    stage.frame(1, 1.0);
    stage.picture(&version, 0);
    stage.script.graph().borrow_mut().take_log();
    stage.frame(2, 2.0);
    stage.picture(&version, 0);
    assert_eq!(stage.script.graph().borrow_mut().take_log(), ["function"]);
}

#[test]
fn a_function_follows_what_update_changes() {
    let stage = Stage::sketch(
        "local level = 0 function update(ctx) level = ctx.frame / 10 end solid(function() return level end):out()",
    );
    let version = stage.load().unwrap();
    for frame in 1..=3 {
        let info = stage.frame(frame, 0.0);
        version.update(&info).unwrap();
        assert_eq!(
            stage.picture(&version, 0),
            format!("solid[{}, 0.0, 0.0, 1.0]", frame as f32 / 10.0)
        );
    }
}

/// Field case C22: only that value falls back; one message.
#[test]
fn a_function_that_fails_keeps_its_last_value_and_says_so_once() {
    let stage = Stage::sketch(
        "solid(function(ctx)\n  if ctx.time > 1 then local t = nil return t.x end\n  return ctx.time end, 0.5):out()",
    );
    let version = stage.load().unwrap();
    stage.frame(1, 0.75);
    assert_eq!(stage.picture(&version, 0), "solid[0.75, 0.5, 0.0, 1.0]");
    assert!(stage.script.take_failures().is_empty());
    for frame in 2..5 {
        stage.frame(frame, frame as f64);
        assert_eq!(stage.picture(&version, 0), "solid[0.75, 0.5, 0.0, 1.0]");
    }
    let failures = stage.script.take_failures();
    let texts: Vec<_> = failures.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["sketch.lua:2: attempt to index nil with 'x'"]);
    assert_eq!(
        failures[0].source_line(),
        Some("  if ctx.time > 1 then local t = nil return t.x end")
    );
    stage.frame(6, 0.25);
    assert_eq!(stage.picture(&version, 0), "solid[0.25, 0.5, 0.0, 1.0]");
    assert!(stage.script.take_failures().is_empty());
    let graph = stage.script.graph().borrow();
    assert!(graph.failures([stage.out(&version, 0)]).is_empty());
}

#[test]
fn a_wrong_result_is_an_error_at_the_function() {
    let cases = [
        (
            "return 'x'",
            "solid.r: the function returned a wrong value: expected number, got string \"x\"",
        ),
        (
            "return 0/0",
            "solid.r: the function returned a wrong value: expected a finite number, got nan",
        ),
        (
            "",
            "solid.r: the function returned a wrong value: expected number, got nil",
        ),
        (
            "return time",
            "solid.r: the function returned a wrong value: expected number, got number signal",
        ),
        ("return ctx.tim", "ctx has no tim; did you mean time?"),
        (
            "osc():out()",
            "osc: no nodes can be made inside a function that is an argument",
        ),
        (
            "bpm(100)",
            "bpm: not inside a function that is an argument; use update(ctx)",
        ),
        (
            "return time:value()",
            "value: not inside a function that is an argument",
        ),
    ];
    for (body, expected) in cases {
        let stage = Stage::sketch(&format!("\nsolid(function(ctx) {body} end):out()"));
        let version = stage.load().unwrap();
        stage.frame(1, 0.0);
        stage.picture(&version, 0);
        let failures = stage.script.take_failures();
        let found = failures[0].to_string();
        assert!(
            found.starts_with(&format!("sketch.lua:2: {expected}")),
            "{body}: {found}"
        );
    }
}

#[test]
fn a_runaway_function_is_cut_and_the_rest_goes_on() {
    let text = "solid(0.5, function()\n  while true do end\nend):out() solid(1):out(o1)";
    let stage = Stage::with(SHORT, &[("sketch.lua", text)]);
    let version = stage.load().unwrap();
    stage.frame(1, 0.0);
    stage.script.begin_frame(SHORT.frame);
    assert_eq!(stage.picture(&version, 0), "solid[0.5, 0.0, 0.0, 1.0]");
    assert_eq!(stage.picture(&version, 1), "solid[1.0, 0.0, 0.0, 1.0]");
    let failures = stage.script.take_failures();
    assert_eq!(failures[0].to_string(), "sketch.lua:2: stopped after 20 ms");
    assert_eq!(failures[0].cause(), Cause::Cut { limit: SHORT.frame });
}

#[test]
fn chance_is_the_same_in_the_same_frame() {
    let text =
        "solid(function() return math.random() end, function() return math.random() end):out()";
    let run = || {
        let stage = Stage::sketch(text);
        let version = stage.load().unwrap();
        let pictures = (1..4).map(|frame| {
            stage.frame(frame, frame as f64);
            stage.picture(&version, 0)
        });
        pictures.collect::<Vec<_>>()
    };
    let first = run();
    assert_eq!(first, run());
    assert_ne!(first[0], first[1]);
}

#[test]
fn a_version_that_is_dropped_takes_its_functions_along() {
    let text = "local big = table.create(10000, 1)
        x = solid(function() return big[1] end) x:out()";
    let stage = Stage::sketch(text);
    let sweep = || {
        stage.script.collect();
        stage
            .script
            .graph()
            .borrow_mut()
            .keep_only(stage.script.held());
        stage.script.collect();
    };
    drop(stage.load().unwrap());
    sweep();
    let (nodes, memory) = (
        stage.script.graph().borrow().len(),
        stage.script.used_memory(),
    );
    for _ in 0..100 {
        let version = stage.load().unwrap();
        stage.frame(1, 0.0);
        stage.picture(&version, 0);
        drop(version);
        sweep();
    }
    assert_eq!(stage.script.graph().borrow().len(), nodes);
    let after = stage.script.used_memory();
    assert!(after < memory + memory / 20, "{memory} -> {after} bytes");
}

#[test]
fn a_picture_whose_sketch_is_gone_keeps_its_last_values() {
    let stage = Stage::sketch("solid(function() return 0.5 end):out()");
    let version = stage.load().unwrap();
    stage.frame(1, 0.0);
    let effects = version.effects().to_vec();
    let id = stage.out(&version, 0);
    assert_eq!(stage.eval(id).to_string(), "solid[0.5, 0.0, 0.0, 1.0]");
    drop(version);
    stage.script.collect();
    stage.frame(2, 0.0);
    assert_eq!(stage.eval(id).to_string(), "solid[0.5, 0.0, 0.0, 1.0]");
    drop(effects);
}

#[test]
fn update_is_called_with_the_moment_and_may_ask() {
    let stage = Stage::sketch(
        "function update(ctx) bpm(ctx.frame + 100) seen = ctx.time .. ' ' .. ctx.dt .. ' ' .. ctx.beat .. ' ' .. time:value() end",
    );
    let version = stage.load().unwrap();
    let info = stage.frame(7, 1.5);
    let effects = version.update(&info).unwrap();
    assert!(matches!(effects[..], [Effect::Tempo(107.0)]));
    assert_eq!(
        stage.typed(&version, "seen").unwrap().as_deref(),
        Some("\"1.5 0.5 3 1.5\"")
    );
    stage.answer(&version, "update = nil").unwrap();
    assert!(version.update(&info).unwrap().is_empty());
    stage.answer(&version, "update = 5").unwrap();
    assert_eq!(
        version.update(&info).unwrap_err().to_string(),
        "update: expected a function, got number 5"
    );
    stage
        .answer(&version, "function update(ctx) return ctx.tiem end")
        .unwrap();
    assert_eq!(
        version.update(&info).unwrap_err().to_string(),
        "repl:1: ctx has no tiem; did you mean time?"
    );
}

#[test]
fn a_typed_function_lives_on_in_the_picture() {
    let stage = Stage::sketch("x = 0.5");
    let version = stage.load().unwrap();
    let answer = stage
        .answer(&version, "solid(function() return x end):out()")
        .unwrap();
    let Some(Effect::Out { node, .. }) = answer.effects.first() else {
        panic!()
    };
    stage.frame(1, 0.0);
    assert_eq!(
        stage.eval(node.id()).to_string(),
        "solid[0.5, 0.0, 0.0, 1.0]"
    );
    stage.answer(&version, "x = 0.75").unwrap();
    stage.frame(2, 0.0);
    assert_eq!(
        stage.eval(node.id()).to_string(),
        "solid[0.75, 0.0, 0.0, 1.0]"
    );
}

#[test]
fn offline_the_clock_is_the_shows() {
    let stage =
        Stage::sketch("at = os.clock() function update() at = os.clock() .. ' ' .. os.time() end");
    let version = stage.load().unwrap();
    assert_eq!(stage.typed(&version, "at").unwrap().as_deref(), Some("0"));
    let info = stage.frame(1, 2.5);
    version.update(&info).unwrap();
    assert_eq!(
        stage.typed(&version, "at").unwrap().as_deref(),
        Some("\"2.5 2\"")
    );
}
