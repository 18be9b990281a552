//! What evaluation costs: against a hand-written evaluator, recomputing everything, and two libraries for incremental
//! computation, in one run; and how the cost of a frame follows what changed.
//!
//! `cargo bench --bench evaluation` prints the ratios first, then divan's table of each part.
#![allow(clippy::print_stdout, reason = "a bench prints figures")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a bench that can't run should panic"
)]

#[path = "evaluation/by_hand.rs"]
mod by_hand;
#[path = "evaluation/graphs.rs"]
mod graphs;
#[path = "evaluation/grid.rs"]
mod grid;
#[path = "evaluation/libraries.rs"]
mod libraries;
#[path = "evaluation/ours.rs"]
mod ours;
#[path = "evaluation/ratios.rs"]
mod ratios;

fn main() {
    ratios::print();
    divan::main();
}

mod tick {
    //! Ten of a thousand sources set, all outputs read.
    use crate::grid::Evaluator;
    use crate::{by_hand, libraries, ours};

    #[divan::bench(types = [by_hand::Marked, by_hand::Everything, ours::Ours, libraries::Incremental, libraries::Salsa])]
    fn of<E: Evaluator>(bencher: divan::Bencher<'_, '_>) {
        let (mut evaluator, mut tick) = (E::new(), 0);
        bencher.bench_local(|| {
            tick += 1;
            evaluator.tick(tick)
        });
    }
}

mod frame {
    //! Whole frames of our graph.
    use crate::graphs;

    #[divan::bench(args = [1_000, 10_000, 100_000])]
    fn of_nothing_changed(bencher: divan::Bencher<'_, '_>, nodes: usize) {
        let mut clean = graphs::Clean::new(nodes);
        bencher.bench_local(|| clean.frame());
    }

    #[divan::bench]
    fn of_ten_thousand_moving(bencher: divan::Bencher<'_, '_>) {
        let mut moving = graphs::Moving::new();
        bencher.bench_local(|| moving.frame());
    }

    #[divan::bench]
    fn of_sixteen_times(bencher: divan::Bencher<'_, '_>) {
        let mut times = graphs::Times::new(graphs::Shape::Shared);
        bencher.bench_local(|| times.frame());
    }
}
