//! Reading the clock of the context.

use crate::graph::{Cx, GraphError, Update};
use crate::operator;

macro_rules! reading {
    ($($(#[doc = $doc:literal])* $name:ident $lua:literal = $f:expr;)*) => {$(
        operator! {
            $(#[doc = $doc])*
            $name $lua -> f64 {}
        }
        impl Update for $name {
            type Output = f64;
            fn update(&mut self, cx: &mut Cx<'_>) -> Result<f64, GraphError> {
                let f: fn(&mut Cx<'_>) -> f64 = $f;
                Ok(f(cx))
            }
        }
    )*};
}

reading! {
    /// Local time in seconds since the show began.
    Time "time" = |cx| cx.time();
    /// Local time in beats.
    Beat "beat" = |cx| cx.beat();
    /// The number of this frame of the show.
    Frame "frame" = |cx| cx.frame();
    /// Width of the picture that is asked for, in pixels.
    Width "width" = |cx| f64::from(cx.resolution().width);
    /// Height of the picture that is asked for, in pixels.
    Height "height" = |cx| f64::from(cx.resolution().height);
    /// Width of the picture that is asked for, divided by its height.
    Aspect "aspect" = |cx| cx.resolution().aspect();
}
