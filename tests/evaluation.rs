//! How a value is decided and which operators run for it, through the public interface: the cases and rules of
//! `docs/evaluation.md`, each with the log of what ran.
#![allow(clippy::unwrap_used, reason = "a failing test should panic")]

#[path = "evaluation/bench.rs"]
mod bench;
#[path = "evaluation/failure.rs"]
mod failure;
#[path = "evaluation/kinds.rs"]
mod kinds;
#[path = "evaluation/memo.rs"]
mod memo;
#[path = "evaluation/sharing.rs"]
mod sharing;
#[path = "evaluation/state.rs"]
mod state;
#[path = "evaluation/time.rs"]
mod time;
