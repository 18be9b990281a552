//! The grid written out for this one shape: arrays of numbers.

use crate::grid::{Evaluator, LAYERS, WIDTH, set, work};

struct Grid {
    values: Vec<f64>,
    inputs: Vec<[u32; 2]>,
}

impl Grid {
    fn new() -> Self {
        let inputs = (0..LAYERS * WIDTH).map(|at| match at.checked_sub(WIDTH) {
            None => [0; 2],
            Some(above) => {
                let next = above - above % WIDTH + (above + 1) % WIDTH;
                [above as u32, next as u32]
            }
        });
        Self {
            values: vec![0.0; LAYERS * WIDTH],
            inputs: inputs.collect(),
        }
    }

    fn update(&mut self, at: usize) {
        let [a, b] = self.inputs[at];
        self.values[at] = work(self.values[a as usize], self.values[b as usize]);
    }

    fn sum(&self) -> f64 {
        self.values[(LAYERS - 1) * WIDTH..].iter().sum()
    }
}

/// Pushes a mark from each set source to what reads it, and on, then visits what is marked in the order of the nodes.
pub(crate) struct Marked {
    grid: Grid,
    readers: Vec<Vec<u32>>,
    is_marked: Vec<bool>,
    waiting: Vec<u32>,
}

impl Evaluator for Marked {
    fn new() -> Self {
        let grid = Grid::new();
        let mut readers = vec![Vec::new(); LAYERS * WIDTH];
        for at in WIDTH..LAYERS * WIDTH {
            for input in grid.inputs[at] {
                readers[input as usize].push(at as u32);
            }
        }
        let mut marked = Self {
            grid,
            readers,
            is_marked: vec![false; LAYERS * WIDTH],
            waiting: Vec::new(),
        };
        for at in WIDTH..LAYERS * WIDTH {
            marked.grid.update(at);
        }
        marked
    }

    fn tick(&mut self, tick: u64) -> f64 {
        for (source, value) in set(tick) {
            if self.grid.values[source] != value {
                self.grid.values[source] = value;
                self.waiting.extend(&self.readers[source]);
            }
        }
        while let Some(at) = self.waiting.pop() {
            let at = at as usize;
            if !self.is_marked[at] {
                self.is_marked[at] = true;
                self.waiting.extend(&self.readers[at]);
            }
        }
        for at in WIDTH..LAYERS * WIDTH {
            if self.is_marked[at] {
                self.is_marked[at] = false;
                self.grid.update(at);
            }
        }
        self.grid.sum()
    }
}

/// Computes everything anew.
pub(crate) struct Everything(Grid);

impl Evaluator for Everything {
    fn new() -> Self {
        Self(Grid::new())
    }

    fn tick(&mut self, tick: u64) -> f64 {
        for (source, value) in set(tick) {
            self.0.values[source] = value;
        }
        for at in WIDTH..LAYERS * WIDTH {
            self.0.update(at);
        }
        self.0.sum()
    }
}
