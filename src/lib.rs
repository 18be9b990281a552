//! gobo: live-coded light for the stage.

pub mod value;
pub mod graph;
pub mod input;
pub mod play;
pub mod ops;
pub mod shader;
pub mod script;
pub mod device;
pub mod gpu;
pub mod show;
pub mod app;
