//! Each goal as a ratio measured in one run, the sides by turns so that a busy machine disturbs both alike.

use std::hint::black_box;
use std::rc::Rc;
use std::time::Instant;

use gobo::script::{Limits, Reader, Script, Settings, read_file};

use crate::by_hand::{Everything, Marked};
use crate::graphs::{Clean, DYNAMIC, Moving, Shape, TIMES, Times};
use crate::grid::{Evaluator, work};
use crate::libraries::{Incremental, Salsa};
use crate::ours::Ours;

/// Nanoseconds of the best of many runs of `times` calls, each call's share.
fn best(rounds: usize, times: usize, mut call: impl FnMut() -> f64) -> f64 {
    let run = |call: &mut dyn FnMut() -> f64| {
        let start = Instant::now();
        for _ in 0..times {
            black_box(call());
        }
        start.elapsed().as_nanos() as f64 / times as f64
    };
    (0..rounds).map(|_| run(&mut call)).fold(f64::MAX, f64::min)
}

/// The median over rounds of what each side takes, taking turns.
fn turns<const N: usize>(rounds: usize, sides: [&mut dyn FnMut() -> f64; N]) -> [f64; N] {
    let mut taken: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    for _ in 0..rounds {
        for (at, side) in (0..N).map(|at| (at, at)) {
            let start = Instant::now();
            black_box(sides[side]());
            taken[at].push(start.elapsed().as_nanos() as f64);
        }
    }
    taken.map(|mut taken| {
        taken.sort_by(f64::total_cmp);
        taken[taken.len() / 2]
    })
}

fn side<E: Evaluator>(evaluator: &mut E, tick: &mut u64, ticks: u64) -> f64 {
    let mut sum = 0.0;
    for _ in 0..ticks {
        *tick += 1;
        sum = evaluator.tick(*tick);
    }
    sum
}

pub(crate) fn print() {
    grid();
    clean();
    moving();
    times();
    building();
}

fn grid() {
    // Equal sums first: each evaluator must have computed the same.
    let (mut hand, mut everything, mut ours) = (Marked::new(), Everything::new(), Ours::new());
    let (mut incremental, mut salsa) = (Incremental::new(), Salsa::new());
    for tick in 1..=100 {
        let sum = everything.tick(tick);
        for (name, other) in [
            ("by hand", hand.tick(tick)),
            ("ours", ours.tick(tick)),
            ("incremental", incremental.tick(tick)),
            ("salsa", salsa.tick(tick)),
        ] {
            assert_eq!(sum.to_bits(), other.to_bits(), "{name} gives another sum");
        }
    }
    let [mut a, mut b, mut c, mut d, mut e] = [100_u64; 5];
    const TICKS: u64 = 20;
    let [by_hand, everything, ours, incremental, salsa] = turns(
        60,
        [
            &mut || side(&mut hand, &mut a, TICKS),
            &mut || side(&mut everything, &mut b, TICKS),
            &mut || side(&mut ours, &mut c, TICKS),
            &mut || side(&mut incremental, &mut d, TICKS),
            &mut || side(&mut salsa, &mut e, 1),
        ],
    );
    let work = best(50, 10_000, || work(black_box(1.0), black_box(2.0)));
    let us = |ns: f64, ticks: u64| ns / 1000.0 / ticks as f64;
    println!(
        "10,000 nodes, 10 of 1,000 sources set, 1,000 outputs read ({work:.1} ns of work a node)"
    );
    println!(
        "  by hand, marks in index order   {:>8.1} µs",
        us(by_hand, TICKS)
    );
    println!(
        "  everything anew                 {:>8.1} µs",
        us(everything, TICKS)
    );
    println!(
        "  gobo                            {:>8.1} µs",
        us(ours, TICKS)
    );
    println!(
        "  incremental                     {:>8.1} µs",
        us(incremental, TICKS)
    );
    println!("  salsa                           {:>8.1} µs", us(salsa, 1));
    println!(
        "  gobo / by hand                  {:>8.2}    (goal: at most 2)",
        ours / by_hand
    );
}

fn clean() {
    println!("nothing changed, one sink");
    for nodes in [1_000, 10_000, 100_000] {
        let mut clean = Clean::new(nodes);
        let frame = best(50, 1000, || clean.frame());
        println!("  {nodes:>7} nodes                   {frame:>8.0} ns a frame (goal: under 1000)");
    }
    let mut clean = Clean::new(10_000);
    let outputs = clean.outputs.len();
    let read = best(50, 100, || clean.read(outputs)) / outputs as f64;
    println!("  each further output             {read:>8.1} ns (goal: at most 5)");
}

fn moving() {
    let mut moving = Moving::new();
    let frame = best(50, 10, || moving.frame());
    let work = best(50, 10_000, || work(black_box(1.0), black_box(2.0)));
    let node = frame / Moving::NODES as f64 - work;
    println!("10,000 nodes that follow the time");
    println!("  a node, less its arithmetic     {node:>8.1} ns (goal: under 100)");
    // One run in 256 is timed, by two looks at the clock.
    let looks = best(50, 10_000, || Instant::now().elapsed().as_secs_f64());
    let share = looks / 256.0 / (frame / Moving::NODES as f64) * 100.0;
    println!("  share of measuring the cost     {share:>8.2} %  (goal: under 2)");
}

fn times() {
    let shapes = [Shape::Shared, Shape::Moving, Shape::Plain];
    let [mut shared, mut moving, mut plain] = shapes.map(Times::new);
    let [shared, moving, plain] = turns(
        2000,
        [&mut || shared.frame(), &mut || moving.frame(), &mut || {
            plain.frame()
        }],
    );
    let us = |ns: f64| ns / 1000.0;
    println!("{TIMES} times over a shared part of 1,000 nodes of which {DYNAMIC} move");
    println!("  the whole part                  {:>8.1} µs", us(shared));
    println!(
        "  the {DYNAMIC} alone, {TIMES} times         {:>8.1} µs",
        us(moving)
    );
    println!(
        "  {TIMES} times {DYNAMIC} without overrides  {:>8.1} µs",
        us(plain)
    );
    println!(
        "  whole / {DYNAMIC} alone              {:>8.2}    (goal: at most 1.3)",
        shared / moving
    );
    println!("  whole / without overrides       {:>8.2}", shared / plain);
}

/// A sketch that makes so many nodes.
const NODES: usize = 10_000;

fn building() {
    let script = Script::new(Settings::new(Limits::OFFLINE, |_| {})).expect("a script");
    let sketch = format!("local node = time for i = 1, {NODES} do node = num.add(i, 0.5) end");
    let read: Reader = Rc::new(read_file);
    let folder = std::env::temp_dir();
    let mut built = Vec::new();
    for _ in 0..20 {
        let text = Some(sketch.clone().into_bytes());
        let start = Instant::now();
        let version = script
            .load(&folder.join("sketch.lua"), text, read.clone())
            .finish();
        built.push(start.elapsed().as_secs_f64() * 1000.0);
        drop(version.expect("a sketch that loads"));
        script.collect();
    }
    built.sort_by(f64::total_cmp);
    println!("{NODES} nodes from Lua");
    println!(
        "  building                        {:>8.1} ms (goal: under 50)",
        built[built.len() / 2]
    );
}
