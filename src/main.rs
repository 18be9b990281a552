//! The `gobo` command.

fn main() {}
