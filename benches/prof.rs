#![allow(warnings)]
#[path = "evaluation/graphs.rs"]
mod graphs;
#[path = "evaluation/grid.rs"]
mod grid;
#[path = "evaluation/ours.rs"]
mod ours;
use grid::Evaluator;
fn main() {
    let what = std::env::args().nth(1).unwrap_or_default();
    match what.as_str() {
        "moving" => {
            let mut m = graphs::Moving::new();
            for _ in 0..1500 {
                std::hint::black_box(m.frame());
            }
        }
        "times" => {
            let mut m = graphs::Times::new(true);
            for _ in 0..20000 {
                std::hint::black_box(m.frame());
            }
        }
        _ => {
            let mut o = ours::Ours::new();
            let s = std::time::Instant::now();
            for t in 1..=std::env::args()
                .nth(2)
                .map_or(20000u64, |n| n.parse().unwrap())
            {
                std::hint::black_box(o.tick(t));
            }
            println!("{:?}", s.elapsed() / 20000);
        }
    }
}
