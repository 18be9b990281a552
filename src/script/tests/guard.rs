use std::time::Duration;

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

#[cfg(unix)]
#[test]
fn waiting_is_not_the_scripts_time() {
    let lua = Lua::new();
    let guard = Guard::new(&lua, 64 << 20).unwrap();
    let wait = lua.create_function(|_, ()| {
        let (_keep_open, silent) = std::sync::mpsc::channel::<()>();
        silent.recv_timeout(Duration::from_millis(100)).unwrap_err();
        Ok(())
    });
    lua.globals().set("wait", wait.unwrap()).unwrap();
    let long = lua.load("wait() local n = 0 for i = 1, 1e4 do n += 1 end return n");
    let result = guard.run(Duration::from_millis(50), || long.eval::<u32>());
    assert_eq!(result.unwrap(), 10_000);
}
