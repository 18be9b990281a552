//! Reading a per-pixel function from its WGSL file: the signature says how it composes, the `Params` struct what
//! numbers it takes, doc comments the rest.
//!
//! A number's doc comment ends with its default, range and whether it is a rate, in brackets:
//! `/// How fast it turns. [0, -10..10, rate]`.

use std::ops::RangeInclusive;

use naga::front::wgsl::{Frontend, Options};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Function, Handle, Module, Scalar, ScalarKind, Type, TypeInner, VectorSize};

use super::ShaderError;
use crate::graph::InputSpec;
use crate::value::{Composition, Image, Kind, PixelFunction, Value};

/// What a WGSL file declares.
pub(super) struct Declared {
    pub(super) function: PixelFunction,
    pub(super) doc: String,
    pub(super) inputs: Vec<InputSpec>,
}

/// Reads the per-pixel function `name` from the text of its file; `file` is for messages.
pub(super) fn pixel_function(file: &str, name: &str, text: &str) -> Result<Declared, ShaderError> {
    let module = parse(file, text)?;
    let wrong = |message: String| ShaderError {
        file: file.into(),
        line: 1,
        column: 1,
        message,
        source_line: String::new(),
    };
    let main = module
        .functions
        .iter()
        .find(|(_, f)| f.name.as_deref() == Some(name));
    let Some((_, main)) = main else {
        return Err(wrong(format!(
            "expected a function `{name}`, named as the file"
        )));
    };
    let others = module
        .functions
        .iter()
        .filter_map(|(_, f)| f.name.as_deref());
    if let Some(other) = others
        .into_iter()
        .find(|f| *f != name && !f.starts_with(&format!("{name}_")))
    {
        return Err(wrong(format!(
            "expected every function to begin with `{name}_`, got `{other}`"
        )));
    }
    let (composition, has_params) = signature(&module, main).ok_or_else(|| {
        wrong(format!(
            "expected {name}(p: vec2f, …) or {name}(c: vec4f, …), a second picture as d: vec4f, params: Params \
             last, and a vec2f or vec4f as the result"
        ))
    })?;
    let mut inputs = images(composition);
    let mut numbers = Vec::new();
    if has_params {
        let params = module
            .types
            .iter()
            .find(|(_, t)| t.name.as_deref() == Some("Params"));
        let Some((
            handle,
            Type {
                inner: TypeInner::Struct { members, .. },
                ..
            },
        )) = params
        else {
            return Err(wrong("expected a struct `Params`".into()));
        };
        for (index, member) in members.iter().enumerate() {
            let name = member.name.clone().unwrap_or_default();
            if !is_f32(&module, member.ty) {
                return Err(wrong(format!("Params.{name}: expected f32")));
            }
            let comments = module
                .doc_comments
                .as_ref()
                .and_then(|d| d.struct_members.get(&(handle, index)));
            let comment = text_of(comments.map(Vec::as_slice).unwrap_or_default());
            inputs.push(number(&name, &comment).map_err(wrong)?);
            numbers.push(name);
        }
    }
    let doc = text_of(
        module
            .doc_comments
            .as_ref()
            .map(|d| d.module.as_slice())
            .unwrap_or_default(),
    );
    Ok(Declared {
        function: PixelFunction::new(name, composition, numbers, text),
        doc,
        inputs,
    })
}

fn parse(file: &str, text: &str) -> Result<Module, ShaderError> {
    let mut options = Options::new();
    options.parse_doc_comments = true;
    let at = |location: Option<naga::SourceLocation>, message: String| {
        let (line, column) = location.map_or((1, 1), |l| (l.line_number, l.line_position));
        let source_line = text
            .lines()
            .nth(line.saturating_sub(1) as usize)
            .unwrap_or_default()
            .to_owned();
        ShaderError {
            file: file.into(),
            line,
            column,
            message,
            source_line,
        }
    };
    let module = Frontend::new_with_options(options)
        .parse(text)
        .map_err(|error| at(error.location(text), error.message().to_owned()))?;
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .map_err(|error| {
            let mut message = error.to_string();
            let mut source: Option<&dyn std::error::Error> =
                std::error::Error::source(error.as_inner());
            while let Some(inner) = source {
                message = inner.to_string();
                source = inner.source();
            }
            // Of the places that the validator names, the one furthest down is the narrowest.
            let places = error
                .spans()
                .filter(|(span, _)| span.is_defined())
                .map(|(span, _)| span.location(text));
            at(places.max_by_key(|place| place.line_number), message)
        })?;
    Ok(module)
}

/// Checks a whole shader without a graphics device; `file` is for messages.
pub fn validate(file: &str, wgsl: &str) -> Result<(), ShaderError> {
    parse(file, wgsl).map(|_| ())
}

/// How a function composes and whether it takes numbers, from its arguments and result.
fn signature(module: &Module, function: &Function) -> Option<(Composition, bool)> {
    let name = |at: usize| function.arguments.get(at).and_then(|a| a.name.as_deref());
    let lanes = |handle: Handle<Type>| match module.types[handle].inner {
        TypeInner::Vector {
            size,
            scalar: Scalar::F32,
        } => size as u8,
        _ => 0,
    };
    let argument = |at: usize| function.arguments.get(at).map_or(0, |a| lanes(a.ty));
    let result = lanes(function.result.as_ref()?.ty);
    let (two, four) = (VectorSize::Bi as u8, VectorSize::Quad as u8);
    let has_d = name(1) == Some("d") && argument(1) == four;
    let composition = match (name(0)?, argument(0), has_d, result) {
        ("p", a, false, r) if a == two && r == four => Composition::Source,
        ("p", a, false, r) if a == two && r == two => Composition::Coord,
        ("p", a, true, r) if a == two && r == two => Composition::CombineCoord,
        ("c", a, false, r) if a == four && r == four => Composition::Color,
        ("c", a, true, r) if a == four && r == four => Composition::Combine,
        _ => return None,
    };
    let pictures = if has_d { 2 } else { 1 };
    let params = function.arguments.get(pictures);
    let is_params = params.is_none_or(|a| module.types[a.ty].name.as_deref() == Some("Params"));
    (is_params && function.arguments.len() <= pictures + 1)
        .then_some((composition, params.is_some()))
}

fn is_f32(module: &Module, handle: Handle<Type>) -> bool {
    matches!(
        module.types[handle].inner,
        TypeInner::Scalar(Scalar {
            kind: ScalarKind::Float,
            width: 4
        })
    )
}

/// The picture inputs that a composition brings.
fn images(composition: Composition) -> Vec<InputSpec> {
    let image = |name: &str, doc: &str| InputSpec::of(name, Image::black(), None, doc.into());
    let all = [
        image("picture", "The picture that is changed."),
        image("other", "The other picture."),
    ];
    all.into_iter().take(composition.images()).collect()
}

fn number(name: &str, comment: &str) -> Result<InputSpec, String> {
    let help =
        || format!("Params.{name}: expected a doc comment that ends with `[default, min..max]`");
    let (doc, rest) = comment.rsplit_once('[').ok_or_else(help)?;
    let mut fields = rest
        .trim_end()
        .strip_suffix(']')
        .ok_or_else(help)?
        .split(',')
        .map(str::trim);
    let default: f64 = fields
        .next()
        .and_then(|f| f.parse().ok())
        .ok_or_else(help)?;
    let (mut range, mut is_rate) = (None::<RangeInclusive<f64>>, false);
    for field in fields {
        match field.split_once("..") {
            Some((low, high)) => {
                let ends = low.trim().parse().ok().zip(high.trim().parse().ok());
                range = Some(ends.map(|(low, high)| low..=high).ok_or_else(help)?);
            }
            None if field == "rate" => is_rate = true,
            None => return Err(help()),
        }
    }
    let doc = doc.trim().to_owned();
    let (kind, default, choices) = (Kind::Number, Value::Number(default), Vec::new());
    Ok(InputSpec {
        name: name.into(),
        kind,
        default,
        range,
        choices,
        is_rate,
        is_free: false,
        is_many: false,
        is_optional: false,
        doc,
    })
}

fn text_of(lines: &[String]) -> String {
    let strip = |l: &String| {
        let l = l.trim_start_matches("///").trim_start_matches("//!");
        l.strip_prefix(' ').unwrap_or(l).trim_end().to_owned()
    };
    lines.iter().map(strip).collect::<Vec<_>>().join("\n")
}
