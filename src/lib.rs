//! gobo: live-coded light for the stage.
//!
//! A gobo is the stencil in a stage lamp: what you cut decides what the light paints. Here the stencil is a Lua
//! sketch. A performer edits it, each save changes the running picture within a frame or two, and nothing that is
//! typed can take the picture down. This page is the tour of how that is built; `README.md` is for those who want to
//! play, `docs/glossary.md` says what each term means, `CONTRIBUTING.md` where a new thing goes.
//!
//! # The idea
//!
//! A sketch builds a **graph** of **operators**. A frame pulls the graph's four **outputs** with a **context** (time,
//! beat, resolution, variables, live inputs); an operator runs only when something it read has changed. What comes
//! out is not pixels but a **description** of a picture: a value that can be compared, kept and fused. The `shader`
//! layer fuses a description into as few passes as possible, and only the `gpu` layer draws. So changing a number
//! uploads a number, changing nothing costs nothing, and everything below the graphics device is tested without one.
//!
//! # Layers
//!
//! Each layer uses only those above it in this list; `tests/layers.rs` sees to that, and that each outside crate has
//! one layer that knows it.
//!
//! | layer | what it is |
//! |---|---|
//! | [`value`] | what flows along connections, pictures as descriptions included |
//! | [`graph`] | operators, nodes, the context and its scoped overrides, evaluation and what it remembers |
//! | [`input`] | the channels and events of a frame: sound, MIDI, mouse, keys |
//! | [`play`] | the transport: seconds, beats, frames |
//! | [`ops`] | the operators declared in Rust, a file for each category |
//! | [`shader`] | WGSL files as operators, descriptions as passes |
//! | [`script`] | the one layer that knows Lua: sandbox, loading in slices, constructors, help |
//! | [`device`] | sources plugged in: sound card, MIDI ports |
//! | [`gpu`] | the one layer that draws: adapters, pipelines, outputs, reading back |
//! | [`show`] | the frame, and which version of a sketch is on stage |
//! | [`app`] | who drives the show: window, terminal, watcher, renderer, command line |
//!
//! # Life of a frame
//!
//! [`show::Show::frame`] is this list: inputs and clock give the context its values; a sketch on its way loads for at
//! most 4 ms; typed lines run; the sketch's `update` runs; what waits behind the curtain is evaluated, and enters
//! once every pipeline it needs has drawn once; what plays is evaluated and drawn. One thread owns Lua, graph and
//! graphics device. Device callbacks, the watcher, the prompt and the shader compiler have threads of their own
//! behind bounded channels, so that none of them can hold up a frame.
//!
//! # What happens at a save
//!
//! The watcher settles the save and reads the file whole. The sketch loads in a fresh environment while the old
//! version plays. Its pictures are evaluated once, their pipelines are built and draw once on another thread. Then
//! the new version takes over the state of every node that stayed the same in structure, and the old one is dropped.
//! A failure on the way is told once with file, line and source line, and changes nothing.
//!
//! # Declaring things
//!
//! An operator is declared once, by [`operator!`] or as a WGSL file in `shaders/`. Both make a [`graph::Spec`], and
//! constructor, chained method, argument errors, help, completion, reference and editor types are all read from it.

pub mod app;
pub mod device;
pub mod gpu;
pub mod graph;
pub mod input;
pub mod ops;
pub mod play;
pub mod script;
pub mod shader;
pub mod show;
pub mod value;
