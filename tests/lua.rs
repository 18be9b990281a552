//! Field cases of scripts, driven through the library: what people who do this job reported
//! elsewhere, and what must happen here.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failing test should panic"
)]

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use gobo::graph::{Key, NodeId};
use gobo::script::{
    Cause, Effect, FrameInfo, Limits, Reader, Script, ScriptError, Settings, Step, Version,
    read_file,
};
use gobo::value::Value;

struct Show {
    folder: tempfile::TempDir,
    script: Script,
    printed: Rc<RefCell<Vec<String>>>,
}

impl Show {
    fn new(limits: Limits) -> Self {
        let printed = Rc::new(RefCell::new(Vec::new()));
        let lines = printed.clone();
        let print = move |line: &str| lines.borrow_mut().push(line.to_owned());
        let script = Script::new(Settings::new(limits, print)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        Self {
            folder,
            script,
            printed,
        }
    }

    fn save(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn load(&self) -> Result<Version, ScriptError> {
        let read: Reader = Rc::new(|path: &Path| read_file(path));
        let sketch = self.folder.path().join("sketch.lua");
        self.script.load(&sketch, None, read).finish()
    }

    fn play(&self, text: &str) -> Result<Version, ScriptError> {
        self.save("sketch.lua", text);
        self.load()
    }

    fn begin(&self, frame: u64) -> FrameInfo {
        let time = frame as f64 / 60.0;
        self.script.begin_frame(Duration::from_secs(2));
        let mut graph = self.script.graph().borrow_mut();
        graph.begin_frame(frame);
        graph.set_root(&Key::Time, Some(Value::Number(time)));
        FrameInfo {
            time,
            beat: time * 2.0,
            dt: 1.0 / 60.0,
            frame,
        }
    }

    fn first_output(version: &Version) -> NodeId {
        match version.effects().first() {
            Some(Effect::Out { node, .. }) => node.id(),
            other => panic!("no picture: {other:?}"),
        }
    }

    fn draw(&self, id: NodeId) -> String {
        let value = self.script.graph().borrow_mut().eval(id);
        value.unwrap().to_string()
    }
}

/// B13 (rxi/lume 18): a module that returns a function is replaced.
#[test]
fn a_required_function_is_the_new_one_after_a_reload() {
    let show = Show::new(Limits::OFFLINE);
    for shade in ["0.25", "0.75"] {
        show.save(
            "shade.lua",
            &format!("return function() return {shade} end"),
        );
        let version = show
            .play("local shade = require 'shade' solid(shade()):out()")
            .unwrap();
        show.begin(1);
        let picture = show.draw(Show::first_output(&version));
        assert_eq!(picture, format!("solid[{shade}, 0.0, 0.0, 1.0]"));
    }
}

/// C22 (hydra 75, 51): a mistake in a per-frame function freezes nothing and is told once.
#[test]
fn a_mistake_in_a_per_frame_function_lets_the_rest_go_on() {
    let show = Show::new(Limits::OFFLINE);
    let version = show
        .play("solid(function(ctx) if ctx.frame > 1 then return tiem end return 0.5 end, function(ctx) return ctx.frame / 8 end):out()")
        .unwrap();
    let id = Show::first_output(&version);
    let mut told = Vec::new();
    for frame in 1..=4 {
        show.begin(frame);
        assert_eq!(
            show.draw(id),
            format!("solid[0.5, {}, 0.0, 1.0]", frame as f32 / 8.0)
        );
        told.extend(show.script.take_failures().iter().map(ScriptError::key));
    }
    told.dedup();
    assert_eq!(
        told,
        ["sketch.lua:1: solid.r: the function returned a wrong value: expected number, got nil"]
    );
    assert!(show.play("solid(1):out()").is_ok());
}

/// C25 (hydra-synth 187): without devices every input reads neutral values.
#[test]
fn inputs_read_zero_without_devices() {
    let show = Show::new(Limits::OFFLINE);
    let version = show
        .play("solid(audio.low + audio.band(4), midi.cc(74) + midi.note(60), mouse.x + key('a'), audio.level):out()")
        .unwrap();
    show.begin(1);
    assert_eq!(
        show.draw(Show::first_output(&version)),
        "solid[0.0, 0.0, 0.0, 0.0]"
    );
}

/// C26, C27 (hydra 5, sonic-pi 333): the first cause, at the user's own line.
#[test]
fn the_first_cause_is_told_however_deep_it_lies() {
    let show = Show::new(Limits::OFFLINE);
    show.save(
        "lib.lua",
        "return function(image)\n  return image:with_time{ offset = 'late' }\nend",
    );
    let text = "local late = require 'lib'\ncoroutine.wrap(function()\n  table.sort({1, 2}, function() return late(osc()) end)\nend)()";
    let error = show.play(text).err().unwrap();
    assert_eq!(
        error.to_string(),
        "lib.lua:2: with_time.offset: expected number, got string \"late\""
    );
    assert_eq!(
        error.excerpt(),
        "    2 |   return image:with_time{ offset = 'late' }"
    );
    let way: Vec<_> = error
        .traceback()
        .iter()
        .map(|frame| (frame.file.as_str(), frame.line))
        .collect();
    assert_eq!(way, [("lib.lua", 2), ("sketch.lua", 3), ("sketch.lua", 3)]);
}

/// C28, C29 (shader-toy 142, norns 206): half-typed text fails, leaves nothing, and the next save works.
#[test]
fn every_half_typed_sketch_fails_and_the_whole_one_loads() {
    let show = Show::new(Limits::OFFLINE);
    let text = "local c = noise(3):kaleid(5)\nosc(40, function(ctx) return ctx.time end):modulate(c, 0.1):out(o0)\n";
    let mut failed = 0;
    for end in 0..text.len() {
        let part = &text[..end];
        if let Err(error) = show.play(part) {
            assert!(
                error.to_string().starts_with("sketch.lua:"),
                "{part:?}: {error}"
            );
            failed += 1;
        }
    }
    assert!(failed > 50, "only {failed} failed");
    assert_eq!(show.play(text).unwrap().effects().len(), 1);
}

/// D32, D34, D37 (crow 230, p5.js-web-editor 662, mlua 416): runaway code is cut wherever it stands.
#[test]
fn runaway_code_is_cut_and_the_next_save_works() {
    let limits = Limits {
        load: Duration::from_millis(50),
        frame: Duration::from_millis(10),
        is_live: true,
    };
    let show = Show::new(limits);
    let cases = [
        "while true do end",
        "for i = 1, 1e12 do end",
        "coroutine.wrap(function() while true do end end)()",
        "while true do pcall(function() while true do end end) end",
        "while true do osc():kaleid(3) end",
        "local x = osc() while true do x = x:rotate(1) end",
        "while true do print('flood') end",
        "while true do load('return 1')() end",
        "while true do bpm(100) end",
        "while true do pcall(require, 'none') end",
        "while true do pcall(require, 'broken') end",
        "while true do pcall(shader, 'none.wgsl') end",
        "while true do pcall(load, string.rep('x = 1 ', 1000)) end",
        "local i = 0 while true do i += 1 pcall(require, 'none' .. i) load('return 1', 'text' .. i) end",
    ];
    show.save("broken.lua", "return =");
    for text in cases {
        let error = show.play(text).err().unwrap();
        assert_eq!(
            error.cause(),
            Cause::Cut { limit: limits.load },
            "{text}: {error}"
        );
        let version = show.play("solid(0.5):out()").unwrap();
        let mut answer = show.script.eval(&version, text);
        let error = loop {
            match answer.step(Duration::from_millis(4)) {
                Step::More => {}
                Step::Done(_) => panic!("{text}: done"),
                Step::Failed(error) => break error,
            }
        };
        assert_eq!(
            error.cause(),
            Cause::Cut { limit: limits.load },
            "{text}: {error}"
        );
        show.begin(1);
        assert_eq!(
            show.draw(Show::first_output(&version)),
            "solid[0.5, 0.0, 0.0, 1.0]"
        );
        drop(version);
        show.script
            .graph()
            .borrow_mut()
            .keep_only(show.script.held());
    }
    assert!(
        show.printed.borrow().len() < 1000,
        "{} lines",
        show.printed.borrow().len()
    );
}

/// D39 (lua-gdextension 123): 20 000 tables a frame are collected as fast as they are made.
#[test]
fn garbage_of_every_frame_does_not_pile_up() {
    let show = Show::new(Limits::OFFLINE);
    let version = show
        .play("function update() for i = 1, 20000 do local t = {i, tostring(i)} end end")
        .unwrap();
    let mut most = 0;
    for frame in 1..=200 {
        let info = show.begin(frame);
        version.update(&info).unwrap();
        most = most.max(show.script.used_memory());
    }
    assert!(most < 64 << 20, "{most} bytes");
}
