//! The grid by two libraries for incremental computation.

use std::rc::Rc;

use incremental::{IncrState, Observer, Var};
use salsa::Setter;

use crate::grid::{Evaluator, LAYERS, WIDTH, set, work};

/// The crate `incremental`.
pub(crate) struct Incremental {
    state: Rc<IncrState>,
    sources: Vec<Var<f64>>,
    outputs: Vec<Observer<f64>>,
}

impl Evaluator for Incremental {
    fn new() -> Self {
        let state = IncrState::new();
        let sources: Vec<Var<f64>> = (0..WIDTH).map(|_| state.var(0.0)).collect();
        let mut above: Vec<_> = sources.iter().map(Var::watch).collect();
        for _ in 1..LAYERS {
            let layer = (0..WIDTH).map(|at| {
                let next = &above[(at + 1) % WIDTH];
                above[at].map2(next, |a, b| work(*a, *b))
            });
            above = layer.collect();
        }
        let outputs = above.iter().map(|node| node.observe()).collect();
        state.stabilise();
        Self {
            state: Rc::new(state),
            sources,
            outputs,
        }
    }

    fn tick(&mut self, tick: u64) -> f64 {
        for (source, value) in set(tick) {
            self.sources[source].set(value);
        }
        self.state.stabilise();
        self.outputs.iter().map(|output| output.value()).sum()
    }
}

#[salsa::input]
struct Number {
    bits: u64,
}

#[salsa::input]
struct Numbers {
    #[returns(ref)]
    all: Vec<Number>,
}

#[salsa::tracked]
fn cell(db: &dyn salsa::Database, numbers: Numbers, layer: usize, at: usize) -> u64 {
    let below = |at: usize| match layer {
        1 => *numbers.all(db)[at].bits(db),
        _ => *cell(db, numbers, layer - 1, at),
    };
    work(
        f64::from_bits(below(at)),
        f64::from_bits(below((at + 1) % WIDTH)),
    )
    .to_bits()
}

/// The crate `salsa`.
pub(crate) struct Salsa {
    db: salsa::DatabaseImpl,
    numbers: Numbers,
    sources: Vec<Number>,
}

impl Evaluator for Salsa {
    fn new() -> Self {
        let db = salsa::DatabaseImpl::new();
        let sources: Vec<Number> = (0..WIDTH).map(|_| Number::new(&db, 0)).collect();
        let numbers = Numbers::new(&db, sources.clone());
        Self {
            db,
            numbers,
            sources,
        }
    }

    fn tick(&mut self, tick: u64) -> f64 {
        for (source, value) in set(tick) {
            self.sources[source]
                .set_bits(&mut self.db)
                .to(value.to_bits());
        }
        let outputs = (0..WIDTH).map(|at| cell(&self.db, self.numbers, LAYERS - 1, at));
        outputs.map(|bits| f64::from_bits(*bits)).sum()
    }
}
