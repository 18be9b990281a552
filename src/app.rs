//! app

pub mod log;
pub mod preview;
pub mod repl;
pub mod terminal;
pub mod watch;
