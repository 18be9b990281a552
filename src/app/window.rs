//! The window: opens it, keeps its pace, and hands what happens in it to a [`Stage`].
//!
//! F11 fills the screen and goes back. Esc twice within a second leaves. A window that nobody can see draws nothing,
//! but its stage goes on at a slower pace, so that clocks and controllers keep running.

mod display;
#[cfg(all(unix, not(target_vendor = "apple")))]
mod hotplug;
mod input;

use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::monitor::MonitorHandle;
use winit::window::{Fullscreen, Window, WindowId};

use super::AppError;
use crate::value::Size;
use display::Action;

pub use input::WindowInput;

/// The pace of a window that nobody can see.
const UNSEEN: Duration = Duration::from_millis(100);
/// A second press of Esc within this time leaves.
const TWICE: Duration = Duration::from_secs(1);
/// How often the title is written and displays are looked at.
const SECOND_LOOK: Duration = Duration::from_millis(500);
/// How often a window is put back onto its display. A window manager that hasn't noticed yet that the display is
/// back puts it elsewhere, and one that never agrees is left in peace.
const TRIES: u8 = 5;
/// How early a frame may begin, so that the screen's own pace is never missed.
const EARLY: Duration = Duration::from_millis(1);

/// What plays in a window.
pub trait Stage {
    /// The window is open; prepares to draw into it.
    fn start(&mut self, window: &Arc<Window>) -> Result<(), AppError>;
    /// Something happened in the window.
    fn input(&mut self, input: WindowInput);
    /// The window has another size, in physical pixels.
    fn resized(&mut self, size: Size);
    /// One frame; `is_seen` says whether drawing it makes sense. False ends the show.
    fn frame(&mut self, is_seen: bool) -> bool;
    /// What the window is called now.
    fn title(&self) -> String;
}

/// How a window is opened.
#[derive(Clone, Debug)]
pub struct WindowOptions {
    /// Its first title.
    pub title: String,
    /// Its size in physical pixels.
    pub size: Size,
    /// Whether it fills the screen from the start.
    pub is_fullscreen: bool,
    /// Which screen it fills, from 1; the one it is on when nothing is said.
    pub display: Option<usize>,
    /// Frames per second at the most.
    pub fps: f64,
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is nothing to show a window on.
    #[error("no display: {0}")]
    NoDisplay(String),
    /// The system refused the window.
    #[error("can't open a window: {0}")]
    Refused(String),
    /// The stage could not be prepared.
    #[error("{0}")]
    Stage(AppError),
}

/// Opens a window and plays `stage` in it until it ends. The stage comes back in any case.
pub fn run_window<S: Stage>(options: WindowOptions, stage: S) -> Result<S, (WindowError, S)> {
    let events = match EventLoop::new() {
        Ok(events) => events,
        Err(error) => return Err((WindowError::NoDisplay(error.to_string()), stage)),
    };
    let now = Instant::now();
    let mut running = Running {
        options,
        stage,
        window: None,
        failed: None,
        size: None,
        is_occluded: false,
        next_frame: now,
        next_look: now,
        escape: None,
        warned: None,
        wanted_display: None,
        tries: 0,
    };
    let result = events.run_app(&mut running);
    let failed = running.failed.or(result
        .err()
        .map(|error| WindowError::Refused(error.to_string())));
    match failed {
        None => Ok(running.stage),
        Some(error) => Err((error, running.stage)),
    }
}

struct Running<S> {
    options: WindowOptions,
    stage: S,
    window: Option<Arc<Window>>,
    failed: Option<WindowError>,
    /// In physical pixels; none while it has no area.
    size: Option<Size>,
    is_occluded: bool,
    next_frame: Instant,
    next_look: Instant,
    /// When Esc was pressed last.
    escape: Option<Instant>,
    /// What the title says instead of its own text, and until when.
    warned: Option<Instant>,
    /// The display that the window should fill, by name, while it is full.
    wanted_display: Option<String>,
    /// How often the window may still be put back onto that display, once it has been there.
    tries: u8,
}

impl<S: Stage> Running<S> {
    fn open(&mut self, events: &ActiveEventLoop) -> Result<(), WindowError> {
        let (width, height) = (self.options.size.width, self.options.size.height);
        let attributes = Window::default_attributes()
            .with_title(&self.options.title)
            .with_inner_size(PhysicalSize::new(width, height));
        let window = events
            .create_window(attributes)
            .map_err(|e| WindowError::Refused(e.to_string()))?;
        let window = Arc::new(window);
        self.window = Some(window.clone());
        #[cfg(all(unix, not(target_vendor = "apple")))]
        if let Err(error) = hotplug::watch(&window) {
            log::debug!("displays that come and go are not seen: {error}");
        }
        if self.options.is_fullscreen {
            self.fill(None);
        }
        self.stage.start(&window).map_err(WindowError::Stage)?;
        self.size = area(window.inner_size());
        if let Some(size) = self.size {
            self.stage.resized(size);
        }
        Ok(())
    }

    /// Fills a display: that one, else the one that the options name, else the one the window is on.
    fn fill(&mut self, monitor: Option<MonitorHandle>) {
        let Some(window) = &self.window else { return };
        let named = || {
            let number = self.options.display?;
            let found = window.available_monitors().nth(number.checked_sub(1)?);
            if found.is_none() {
                let count = window.available_monitors().count();
                log::warn!("--display {number}: expected 1 to {count}; another display is used");
            }
            found
        };
        let monitor = monitor.or_else(named).or_else(|| window.current_monitor());
        self.wanted_display = monitor.as_ref().and_then(MonitorHandle::name);
        window.set_fullscreen(Some(Fullscreen::Borderless(monitor)));
        window.set_cursor_visible(false);
    }

    fn leave_fullscreen(&self) {
        if let Some(window) = &self.window {
            window.set_fullscreen(None);
            window.set_cursor_visible(true);
        }
    }

    /// Keeps a full window on its display: back to a window when that is unplugged or the window
    /// was moved off it, as happens when it is gone for a moment; onto it again when it is there.
    fn look_at_displays(&mut self) {
        let Some(window) = &self.window else { return };
        let monitors: Vec<MonitorHandle> = window.available_monitors().collect();
        let names: Vec<String> = monitors.iter().filter_map(MonitorHandle::name).collect();
        let is_full = window.fullscreen().is_some();
        let wanted = self.wanted_display.as_deref();
        let target = monitors.iter().find(|m| m.name().as_deref() == wanted);
        let is_there = target.is_none_or(|target| is_on(window, target));
        if is_full && is_there {
            self.tries = TRIES;
        }
        let is_astray = self.tries > 0 && !is_there;
        match display::decide(wanted, is_full, is_astray, &names) {
            Action::Stay => {}
            Action::Leave => self.leave_fullscreen(),
            Action::Return(name) => {
                self.tries = self.tries.saturating_sub(1);
                let back = monitors
                    .into_iter()
                    .find(|m| m.name().as_deref() == Some(&*name));
                self.fill(back);
            }
        }
    }

    fn toggle_fullscreen(&mut self) {
        if self
            .window
            .as_ref()
            .is_some_and(|window| window.fullscreen().is_some())
        {
            (self.wanted_display, self.tries) = (None, 0);
            self.leave_fullscreen();
        } else {
            self.fill(None);
        }
    }

    /// Whether Esc has been pressed twice.
    fn escape(&mut self) -> bool {
        let now = Instant::now();
        let is_second = self
            .escape
            .is_some_and(|first| now.duration_since(first) <= TWICE);
        self.escape = Some(now);
        self.warned = Some(now + TWICE);
        if let Some(window) = &self.window {
            window.set_title("press Esc again to leave");
        }
        is_second
    }

    fn is_seen(&self) -> bool {
        self.size.is_some()
            && !self.is_occluded
            && self
                .window
                .as_ref()
                .is_some_and(|w| w.is_minimized() != Some(true))
    }

    /// Plays a frame when its time has come.
    fn play(&mut self, events: &ActiveEventLoop) {
        let now = Instant::now();
        if now < self.next_frame || self.window.is_none() {
            return;
        }
        let is_seen = self.is_seen();
        if !self.stage.frame(is_seen) {
            events.exit();
        }
        let pace = if is_seen {
            Duration::from_secs_f64(1.0 / self.options.fps).saturating_sub(EARLY)
        } else {
            UNSEEN
        };
        self.next_frame = now + pace;
        if now >= self.next_look {
            self.next_look = now + SECOND_LOOK;
            self.look_at_displays();
            if self.warned.is_none_or(|until| now > until)
                && let Some(window) = &self.window
            {
                window.set_title(&self.stage.title());
            }
        }
    }
}

/// Whether the middle of a window is on a display. Yes where the system keeps that to itself; winit's own answer
/// isn't used, since on X11 it misses moves while displays change.
fn is_on(window: &Window, monitor: &MonitorHandle) -> bool {
    let Ok(corner) = window.inner_position() else {
        return true;
    };
    let (size, display, area) = (window.inner_size(), monitor.position(), monitor.size());
    let is_within = |at: i32, length: u32, from: i32, room: u32| {
        let middle = i64::from(at) + i64::from(length / 2);
        (i64::from(from)..i64::from(from) + i64::from(room)).contains(&middle)
    };
    is_within(corner.x, size.width, display.x, area.width)
        && is_within(corner.y, size.height, display.y, area.height)
}

/// A size in physical pixels; none without an area.
fn area(PhysicalSize { width, height }: PhysicalSize<u32>) -> Option<Size> {
    (width > 0 && height > 0).then(|| Size::new(width, height))
}

impl<S: Stage> ApplicationHandler for Running<S> {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.window.is_none()
            && let Err(error) = self.open(events)
        {
            self.failed = Some(error);
            events.exit();
        }
    }

    fn new_events(&mut self, events: &ActiveEventLoop, _cause: StartCause) {
        self.play(events);
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _id: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => {
                // Whatever asks for a destroyed window's size panics.
                self.size = None;
                events.exit();
            }
            WindowEvent::Resized(size) => {
                self.size = area(size);
                if let Some(size) = self.size {
                    self.stage.resized(size);
                }
            }
            WindowEvent::Occluded(is_occluded) => self.is_occluded = is_occluded,
            WindowEvent::Focused(false) => self.stage.input(WindowInput::FocusLost),
            WindowEvent::CursorMoved { position, .. } => {
                if let Some(size) = self.size {
                    let (x, y) = input::place((position.x, position.y), size);
                    self.stage.input(WindowInput::Pointer { x, y });
                }
            }
            WindowEvent::MouseInput { state, .. } => {
                self.stage.input(WindowInput::Button {
                    is_down: state == ElementState::Pressed,
                });
            }
            WindowEvent::KeyboardInput { event, .. } => {
                let is_down = event.state == ElementState::Pressed;
                if is_down && !event.repeat {
                    match event.logical_key {
                        Key::Named(NamedKey::Escape) if self.escape() => events.exit(),
                        Key::Named(NamedKey::Escape) => {}
                        Key::Named(NamedKey::F11) => self.toggle_fullscreen(),
                        // Esc, something else, Esc is not Esc twice.
                        _ => self.escape = None,
                    }
                }
                if let Some(name) = input::key_name(&event.logical_key).filter(|_| !event.repeat) {
                    self.stage.input(WindowInput::Key { name, is_down });
                }
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        self.play(events);
        events.set_control_flow(ControlFlow::WaitUntil(self.next_frame));
    }
}
