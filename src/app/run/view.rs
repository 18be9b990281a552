//! A live show in a window.

use std::path::PathBuf;
use std::sync::Arc;

use winit::window::Window;

use super::live::{Live, Outside};
use crate::app::window::{Stage, WindowInput};
use crate::app::{AppError, ViewArgs};
use crate::gpu::Gpu;
use crate::value::Size;

/// Waits for its window, then plays in it.
pub(super) struct View<'a> {
    sketch: Option<PathBuf>,
    args: ViewArgs,
    size: Size,
    state: State<'a>,
}

enum State<'a> {
    Waiting(Outside<'a>),
    Playing(Box<Live<'a>>),
    /// Only while it goes from one to the other.
    Between,
}

impl<'a> View<'a> {
    pub(super) fn new(
        sketch: Option<PathBuf>,
        args: ViewArgs,
        size: Size,
        outside: Outside<'a>,
    ) -> Self {
        Self {
            sketch,
            args,
            size,
            state: State::Waiting(outside),
        }
    }

    /// What reaches the show from the terminal, for whoever plays it elsewhere.
    pub(super) fn into_outside(self) -> Option<Outside<'a>> {
        match self.state {
            State::Waiting(outside) => Some(outside),
            State::Playing(live) => Some(live.into_outside()),
            State::Between => None,
        }
    }
}

impl Stage for View<'_> {
    fn start(&mut self, window: &Arc<Window>) -> Result<(), AppError> {
        let State::Waiting(outside) = std::mem::replace(&mut self.state, State::Between) else {
            return Ok(());
        };
        let gpu = Gpu::new(&self.args.adapter.choice(), Some(window.clone()))?;
        self.state = State::Playing(Box::new(Live::new(
            self.sketch.clone(),
            &self.args,
            self.size,
            Some(gpu),
            outside,
        )?));
        Ok(())
    }

    fn input(&mut self, input: WindowInput) {
        let State::Playing(live) = &mut self.state else {
            return;
        };
        let channels = live.show.inputs_mut().channels_mut();
        let level = |is_down: bool| f64::from(u8::from(is_down));
        match input {
            WindowInput::Pointer { x, y } => {
                channels.set("mouse/x", x);
                channels.set("mouse/y", y);
            }
            WindowInput::Button { is_down } => channels.set("mouse/down", level(is_down)),
            WindowInput::Key { name, is_down } => {
                channels.set(&format!("key/{name}"), level(is_down))
            }
            WindowInput::FocusLost => {
                channels.clear("key");
                channels.set("mouse/down", 0.0);
            }
        }
    }

    fn resized(&mut self, size: Size) {
        self.size = size;
        if let State::Playing(live) = &mut self.state {
            live.show.resize(size);
        }
    }

    fn frame(&mut self, is_seen: bool) -> bool {
        let State::Playing(live) = &mut self.state else {
            return true;
        };
        let goes_on = live.frame();
        let shown = live.show.shown();
        if let Some(gpu) = live.show.gpu_mut().filter(|_| is_seen) {
            gpu.present(shown, self.size);
        }
        goes_on
    }

    fn title(&self) -> String {
        match &self.state {
            State::Playing(live) => live.title(),
            _ => "gobo".into(),
        }
    }
}
