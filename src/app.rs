//! app

pub mod watch;
