use std::cell::Cell;
use std::time::{Duration, Instant};

use mlua::{Error, Function, Lua};

use crate::script::error::{Cause, Nothing, explain};
use crate::script::guard::Guard;

fn cause(error: &Error) -> Cause {
    explain(error, &Nothing).cause()
}

#[test]
fn a_nested_run_ends_with_the_one_around_it_and_leaves_it_alone_otherwise() {
    let lua = Lua::new();
    let guard = Guard::new(&lua, 64 << 20).unwrap();
    let looping: Function = lua
        .load("return function() while true do end end")
        .eval()
        .unwrap();
    let millis = Duration::from_millis;
    let outer = guard.run(millis(10), || {
        let inner = guard
            .run(millis(5000), || looping.call::<()>(()))
            .unwrap_err();
        assert_eq!(cause(&inner), Cause::Cut { limit: millis(10) });
        Ok(())
    });
    assert!(outer.is_ok());
    let outer = guard.run(Duration::from_secs(5), || {
        let inner = guard.run(millis(5), || looping.call::<()>(())).unwrap_err();
        assert_eq!(cause(&inner), Cause::Cut { limit: millis(5) });
        lua.load("return 7").eval::<i32>()
    });
    assert_eq!(outer.unwrap(), 7);
}

#[test]
fn a_fault_of_the_host_puts_the_limits_back() {
    let lua = Lua::new();
    let guard = Guard::new(&lua, 64 << 20).unwrap();
    let fault =
        std::panic::AssertUnwindSafe(|| guard.run::<()>(Duration::ZERO, || panic!("a fault")));
    std::panic::catch_unwind(fault).unwrap_err();
    let long = lua.load("local n = 0 for i = 1, 1e5 do n += 1 end return n");
    assert_eq!(long.eval::<u32>().unwrap(), 100_000);
}

#[test]
fn waiting_for_a_processor_is_not_the_scripts_time() {
    thread_local!(static WAITED: Cell<u64> = const { Cell::new(0) });
    /// Five more milliseconds each time it is asked, six times.
    fn waited() -> Duration {
        WAITED.set((WAITED.get() + 1).min(7));
        Duration::from_millis(WAITED.get() * 5)
    }
    let lua = Lua::new();
    let guard = Guard::with_clock(&lua, 64 << 20, waited).unwrap();
    let started = Instant::now();
    let looping = lua.load("while true do end");
    let error = guard
        .run(Duration::from_millis(10), || looping.exec())
        .unwrap_err();
    assert_eq!(
        cause(&error),
        Cause::Cut {
            limit: Duration::from_millis(10)
        }
    );
    assert!(started.elapsed() >= Duration::from_millis(10 + 6 * 5));
}
