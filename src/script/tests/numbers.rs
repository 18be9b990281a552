use super::*;

/// Numbers that formulas tend to get wrong: halves, ends, signs, and what is out of range.
const NUMBERS: &str =
    "{ -1e9, -7, -2.5, -1, -0.5, 0, 0.3, 0.49999999999999994, 0.5, 1, 1.5, 3, 1e9 }";

#[test]
fn a_function_of_numbers_gives_what_the_operator_does() {
    let text = "
        local function agrees(name, ...)
          local number = getfenv()[name](...)
          assert(type(number) == 'number', name)
          local node = num[name](...)
          local is_finite, signal = pcall(node.value, node)
          -- The graph refuses what isn't finite.
          local agrees = if is_finite then number == signal else not (math.abs(number) < math.huge)
          assert(agrees, `{name}({table.concat({...}, ', ')}): {number}, not {signal}`)
          compared += 1
        end
        local numbers = NUMBERS
        compared = 0
        for name, inputs in INPUTS do
          for _, a in numbers do
            agrees(name, a)
            for _, b in numbers do
              if inputs > 1 then agrees(name, a, b) end
              for _, c in numbers do
                if inputs > 2 then agrees(name, a, b, c) end
              end
            end
          end
          agrees(name)
        end
        print(compared > 7000)";
    let stage = Stage::new(&[]);
    let counts: Vec<String> = crate::script::numbers::all(&stage.script.library().borrow())
        .map(|spec| format!("{} = {}", spec.short_name(), spec.inputs.len()))
        .collect();
    let text = text
        .replace("NUMBERS", NUMBERS)
        .replace("INPUTS", &format!("{{ {} }}", counts.join(", ")));
    assert_eq!(prints(&text), ["true"]);
}

#[test]
fn a_signal_among_the_arguments_gives_a_signal() {
    let text = "
        assert(typeof(sin(time)) == 'node')
        assert(typeof(clamp(0.5, 0, time)) == 'node')
        assert(typeof(lerp(1, function(ctx) return ctx.time end)) == 'node')
        assert(typeof(smoothstep{ value = time, high = 2 }) == 'node')
        assert(lerp(10, 20) == 15 and min(math.huge, 3) == 3)
        print(math.sqrt(-1) ~= math.sqrt(-1))";
    assert_eq!(prints(text), ["true"]);
}

#[test]
fn a_wrong_argument_is_told_as_by_the_operator() {
    for (call, message) in [
        ("min(1, 2, 3)", "num.min takes 2 arguments (a, b), got 3"),
        (
            "sin('x')",
            "num.sin.value: expected number, got string \"x\"",
        ),
        ("clamp(1, nil)", "num.clamp.low: expected number, got nil"),
    ] {
        assert_eq!(fails(call).to_string(), format!("sketch.lua:1: {message}"));
    }
}

/// `mix` and the like stay out: a name is one thing.
#[test]
fn no_function_of_numbers_has_the_name_of_something_else() {
    let stage = Stage::new(&[]);
    let library = stage.script.library().borrow();
    let lua = mlua::Lua::new();
    let clashes: Vec<&str> = crate::script::numbers::all(&library)
        .map(|spec| spec.short_name())
        .filter(|name| {
            let is_ours = library
                .iter()
                .any(|spec| spec.name.split('.').next() == Some(name));
            let is_entry = crate::script::help::GLOBALS
                .iter()
                .any(|entry| entry.name == *name);
            is_ours || is_entry || lua.globals().contains_key(*name).unwrap()
        })
        .collect();
    assert_eq!(clashes, [""; 0]);
}
