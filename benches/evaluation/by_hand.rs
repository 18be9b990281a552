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

/// Marks what lies below a set source, and visits what is marked in the order of the layers.
pub(crate) struct Marked {
    grid: Grid,
    readers: Vec<[u32; 2]>,
    marks: Vec<u64>,
    waiting: Vec<u32>,
}

impl Evaluator for Marked {
    fn new() -> Self {
        let grid = Grid::new();
        let mut readers = vec![[0; 2]; LAYERS * WIDTH];
        for at in WIDTH..LAYERS * WIDTH {
            let [a, b] = grid.inputs[at];
            readers[a as usize][0] = at as u32;
            readers[b as usize][1] = at as u32;
        }
        let mut marked = Self {
            grid,
            readers,
            marks: vec![0; (LAYERS * WIDTH).div_ceil(64)],
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
                self.waiting.extend(self.readers[source]);
            }
        }
        while let Some(at) = self.waiting.pop() {
            let (word, bit) = (at as usize / 64, 1 << (at % 64));
            if self.marks[word] & bit == 0 {
                self.marks[word] |= bit;
                if (at as usize) < (LAYERS - 1) * WIDTH {
                    self.waiting.extend(self.readers[at as usize]);
                }
            }
        }
        for word in 0..self.marks.len() {
            while self.marks[word] != 0 {
                let bit = self.marks[word].trailing_zeros() as usize;
                self.marks[word] &= self.marks[word] - 1;
                self.grid.update(word * 64 + bit);
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
