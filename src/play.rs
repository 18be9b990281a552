//! Playing: what time it is in the show.

mod transport;

pub use transport::{Instant, Transport};
