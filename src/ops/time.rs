//! Reading the clock and the size of the context.

use crate::formula;

formula! {
    /// Local time in seconds since the show began.
    Time "time" -> f64 {} = |cx| cx.time()
}

formula! {
    /// Local time in beats.
    Beat "beat" -> f64 {} = |cx| cx.beat()
}

formula! {
    /// The number of this frame of the show.
    Frame "frame" -> f64 {} = |cx| cx.frame()
}

formula! {
    /// Width of the picture that is asked for, in pixels.
    Width "width" -> f64 {} = |cx| f64::from(cx.resolution().width)
}

formula! {
    /// Height of the picture that is asked for, in pixels.
    Height "height" -> f64 {} = |cx| f64::from(cx.resolution().height)
}

formula! {
    /// Width of the picture that is asked for, divided by its height.
    Aspect "aspect" -> f64 {} = |cx| cx.resolution().aspect()
}
