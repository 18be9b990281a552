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
pub(crate) fn extra_methods(kind: Kind) -> &'static [Entry] {
    const OUT: &[Entry] = &[Entry {
        name: "out",
        call: "picture:out(output)",
        luau: "(self: Picture, output: Picture?) -> ()",
        doc: "Sends a picture to an output: o0 unless another is given.",
    }];
    const VALUE: &[Entry] = &[Entry {
        name: "value",
        call: "signal:value()",
        luau: "(self: any) -> any",
        doc: "What a signal is now: in update(ctx), at the prompt, or while the sketch loads.",
    }];
    if kind == Kind::Image { OUT } else { VALUE }
}
