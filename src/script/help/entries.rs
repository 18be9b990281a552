//! What sketches can use besides operators.

use crate::value::Kind;

/// A function of ours that isn't an operator.
pub(crate) struct Entry {
    /// Its name, with the kind in front where it is a method.
    pub(crate) name: &'static str,
    /// How it is called.
    pub(crate) call: &'static str,
    /// Its Luau type.
    pub(crate) luau: &'static str,
    /// What it does; the first line is the summary.
    pub(crate) doc: &'static str,
}

/// Global functions and values that aren't operators.
pub(crate) const GLOBALS: &[Entry] = &[
    Entry {
        name: "render",
        call: "render(output)",
        luau: "(output: Picture?) -> ()",
        doc: "Chooses what the window shows: one output, or all four without an argument.",
    },
    Entry {
        name: "hush",
        call: "hush()",
        luau: "() -> ()",
        doc: "Makes every output dark.",
    },
    Entry {
        name: "bpm",
        call: "bpm(tempo)",
        luau: "(tempo: number?) -> number",
        doc: "Sets the tempo in beats per minute, from 1 to 999; without an argument it gives the tempo.",
    },
    Entry {
        name: "shader",
        call: "shader(file)",
        luau: "(file: string) -> (...any) -> Picture",
        doc: "Makes a function of a WGSL file beside the sketch, which is then called like any other.",
    },
    Entry {
        name: "operator",
        call: "operator{ name =, inputs =, update = }",
        luau: "(declaration: { [string]: any }) -> (...any) -> any",
        doc: "Declares an operator of the sketch and gives the function that makes nodes of it.\n\n\
              inputs is a list such as { { \"amount\", 0.5, min = 0, max = 1, doc = \"how much\" } }; update(self, ctx) \
              finds them on self and returns the value. output names its kind, number unless said otherwise. With \
              state = { … }, self is kept from frame to frame and update runs once in each; without, it runs when an \
              input or what it reads from ctx changes.",
    },
    Entry {
        name: "stats",
        call: "stats()",
        luau: "() -> { updated: number, reused: number, failed: number, nodes: number, frame: number }",
        doc: "Counts of the last frame: operators that ran, results that were still valid, failures, nodes.",
    },
    Entry {
        name: "help",
        call: "help(what)",
        luau: "(what: any?) -> ()",
        doc: "Explains a function, a name or a node; without an argument it names all there is.",
    },
    Entry {
        name: "print",
        call: "print(...)",
        luau: "(...any) -> ()",
        doc: "Writes values to the log.",
    },
    Entry {
        name: "require",
        call: "require(name)",
        luau: "(name: string) -> any",
        doc: "Loads a file of the project once and gives what it returns.\n\n\
              `require(\"lib.tint\")` is `lib/tint.lua` beside this file, beside the sketch, or in its `scripts` folder.",
    },
    Entry {
        name: "update",
        call: "function update(ctx)",
        luau: "((ctx: Context) -> ())?",
        doc: "Define it, and it is called once a frame, before the pictures are drawn.\n\n\
              ctx has time, beat, dt, frame, tempo, width, height and aspect. A signal is read with :value().",
    },
    Entry {
        name: "o0",
        call: "o0",
        luau: "Picture",
        doc: "The first output: what it showed in the last frame.",
    },
    Entry {
        name: "o1",
        call: "o1",
        luau: "Picture",
        doc: "The second output: what it showed in the last frame.",
    },
    Entry {
        name: "o2",
        call: "o2",
        luau: "Picture",
        doc: "The third output: what it showed in the last frame.",
    },
    Entry {
        name: "o3",
        call: "o3",
        luau: "Picture",
        doc: "The fourth output: what it showed in the last frame.",
    },
    Entry {
        name: "deg",
        call: "deg",
        luau: "number",
        doc: "One degree in radians: `90 * deg` is a right angle.",
    },
    Entry {
        name: "turn",
        call: "turn",
        luau: "number",
        doc: "One full turn in radians.",
    },
];

/// The methods of a kind that aren't operators.
pub(crate) fn extra_methods(kind: Kind) -> impl Iterator<Item = &'static Entry> {
    const OUT: Entry = Entry {
        name: "out",
        call: "picture:out(output)",
        luau: "(self: Picture, output: Picture?) -> ()",
        doc: "Sends a picture to an output: o0 unless another is given.",
    };
    const VALUE: Entry = Entry {
        name: "value",
        call: "signal:value()",
        luau: "(self: any) -> any",
        doc: "What a signal is now: in update(ctx), at the prompt, or while the sketch loads.",
    };
    const ALL: [Entry; 4] = [
        Entry {
            name: "bypass",
            call: "node:bypass(on)",
            luau: "<T>(self: T, on: boolean?) -> T",
            doc: "Lets the first input of a node's kind pass through; bypass(false) has it run again.",
        },
        Entry {
            name: "disable",
            call: "node:disable(on)",
            luau: "<T>(self: T, on: boolean?) -> T",
            doc: "Holds a node at its last value; disable(false) has it run again.",
        },
        Entry {
            name: "always",
            call: "node:always(on)",
            luau: "<T>(self: T, on: boolean?) -> T",
            doc: "Has a node run in each frame, for what gobo can't see change; always(false) ends that.",
        },
        Entry {
            name: "status",
            call: "node:status()",
            luau: "(self: any) -> { [string]: any }",
            doc: "How a node is doing: runs in the frame last_run, cost of a run in seconds, memos, mode, origin, error.",
        },
    ];
    let own: &Entry = if kind == Kind::Image { &OUT } else { &VALUE };
    std::iter::once(own).chain(&ALL)
}
