//! Sketches that several tests play.

/// The whole picture red.
pub(crate) const RED: &str = "solid(1, 0, 0):out()\n";
/// The whole picture green.
pub(crate) const GREEN: &str = "solid(0, 1, 0):out()\n";

/// One second is five 255ths of red, so that a clock that starts anew is seen as a darker red.
pub(crate) fn clock(green: f64, blue: f64) -> String {
    format!("solid(function(ctx) return ctx.time * 5 / 255 end, {green}, {blue}):out()\n")
}
