//! gobo: live-coded light for the stage.

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
