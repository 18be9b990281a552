//! Ways to get from 0 to 1.

use std::f64::consts::{FRAC_PI_2, PI};

use crate::choice;

/// One line a curve: what it is, its way from rest (alone, and as half of one that leaves and arrives gently), and
/// the names of the three ways to use it.
macro_rules! easings {
    ($($what:literal $alone:expr, $half:expr =>
        $in:ident $in_name:literal, $out:ident $out_name:literal, $both:ident $both_name:literal;)*) => {
        choice! {
            /// How something gets from 0 to 1, after Robert Penner ("Programming Macromedia Flash MX", 2002): `in_`
            /// leaves gently, `out_` arrives gently, `in_out_` does both.
            Easing {
                /// Evenly.
                Linear "linear",
                $(
                    #[doc = concat!("Leaves gently along ", $what, ".")]
                    $in $in_name,
                    #[doc = concat!("Arrives gently along ", $what, ".")]
                    $out $out_name,
                    #[doc = concat!("Leaves and arrives gently along ", $what, ".")]
                    $both $both_name,
                )*
            }
        }

        impl Easing {
            /// How far it is at `t`, which is kept between 0 and 1. Some go below 0 or above 1 on the way.
            pub fn ease(self, t: f64) -> f64 {
                let t = t.clamp(0.0, 1.0);
                match self {
                    Self::Linear => t,
                    $(
                        Self::$in => $alone(t),
                        Self::$out => 1.0 - $alone(1.0 - t),
                        Self::$both if t < 0.5 => $half(2.0 * t) / 2.0,
                        Self::$both => 1.0 - $half(2.0 - 2.0 * t) / 2.0,
                    )*
                }
            }
        }
    };
}

easings! {
    "a sine wave" sine, sine => InSine "in_sine", OutSine "out_sine", InOutSine "in_out_sine";
    "t²" power::<2>, power::<2> => InQuad "in_quad", OutQuad "out_quad", InOutQuad "in_out_quad";
    "t³" power::<3>, power::<3> => InCubic "in_cubic", OutCubic "out_cubic", InOutCubic "in_out_cubic";
    "t⁴" power::<4>, power::<4> => InQuart "in_quart", OutQuart "out_quart", InOutQuart "in_out_quart";
    "t⁵" power::<5>, power::<5> => InQuint "in_quint", OutQuint "out_quint", InOutQuint "in_out_quint";
    "powers of 2" expo, expo => InExpo "in_expo", OutExpo "out_expo", InOutExpo "in_out_expo";
    "a quarter of a circle" circ, circ => InCirc "in_circ", OutCirc "out_circ", InOutCirc "in_out_circ";
    "a curve that goes too far and comes back" |t| back(t, 1.0), |t| back(t, 1.525) =>
        InBack "in_back", OutBack "out_back", InOutBack "in_out_back";
    "a spring that swings" |t| elastic(t, 0.3), |t| elastic(t, 0.45) =>
        InElastic "in_elastic", OutElastic "out_elastic", InOutElastic "in_out_elastic";
    "a ball that bounces" bounce, bounce => InBounce "in_bounce", OutBounce "out_bounce", InOutBounce "in_out_bounce";
}

fn sine(t: f64) -> f64 {
    1.0 - (t * FRAC_PI_2).cos()
}

fn power<const N: i32>(t: f64) -> f64 {
    t.powi(N)
}

fn expo(t: f64) -> f64 {
    if t == 0.0 {
        0.0
    } else {
        (10.0 * (t - 1.0)).exp2()
    }
}

fn circ(t: f64) -> f64 {
    1.0 - (1.0 - t * t).sqrt()
}

/// Goes back by a tenth of the way first, or by more where `more` is above 1.
fn back(t: f64, more: f64) -> f64 {
    let back = 1.70158 * more;
    t * t * ((back + 1.0) * t - back)
}

/// Swings with that period before it leaves.
fn elastic(t: f64, period: f64) -> f64 {
    if t == 0.0 {
        return 0.0;
    }
    -expo(t) * ((t - 1.0 - period / 4.0) * 2.0 * PI / period).sin()
}

/// Four hops, each the piece of a parabola that touches 1 in its middle, turned about.
fn bounce(t: f64) -> f64 {
    let t = 1.0 - t;
    let (middle, above) = match t * 2.75 {
        n if n < 1.0 => (0.0, 0.0),
        n if n < 2.0 => (1.5, 0.75),
        n if n < 2.5 => (2.25, 0.9375),
        _ => (2.625, 0.984375),
    };
    1.0 - (7.5625 * (t - middle / 2.75).powi(2) + above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Port, Value};

    fn easing(name: &str) -> Option<Easing> {
        Easing::from_value(&Value::Text(name.into()))
    }

    #[test]
    fn every_easing_leaves_0_and_arrives_at_1_also_from_beyond() {
        assert_eq!(Easing::CHOICES.len(), 31);
        for name in Easing::CHOICES {
            let ease = |t| easing(name).map_or(f64::NAN, |easing| easing.ease(t));
            for (t, expected) in [(0.0, 0.0), (1.0, 1.0), (-3.0, 0.0), (7.0, 1.0)] {
                assert!(
                    (ease(t) - expected).abs() < 1e-12,
                    "{name} {t}: {}",
                    ease(t)
                );
            }
            if name.starts_with("in_out_") {
                assert!((ease(0.5) - 0.5).abs() < 1e-12, "{name}");
                assert!((ease(0.3) + ease(0.7) - 1.0).abs() < 1e-12, "{name}");
            }
        }
    }

    #[test]
    fn an_easing_passes_the_numbers_of_its_formula() {
        for (name, t, expected) in [
            ("linear", 0.25, 0.25),
            ("in_sine", 0.5, 1.0 - 0.5_f64.sqrt()),
            ("in_quad", 0.5, 0.25),
            ("out_quad", 0.5, 0.75),
            ("in_out_quad", 0.25, 0.125),
            ("in_cubic", 0.5, 0.125),
            ("in_quart", 0.5, 0.0625),
            ("in_quint", 0.5, 0.03125),
            ("in_expo", 0.5, 0.03125),
            ("out_expo", 0.5, 0.96875),
            ("in_circ", 0.6, 0.2),
            ("in_back", 0.5, -0.0876975),
            ("in_out_back", 0.25, -0.09968184375),
            ("out_elastic", 0.5, 1.015625),
            ("in_out_elastic", 0.25, 0.011969444),
            ("out_bounce", 1.0 / 2.75, 1.0),
            ("out_bounce", 1.5 / 2.75, 0.75),
            ("in_bounce", 0.5, 0.234375),
        ] {
            let got = easing(name).map_or(f64::NAN, |easing| easing.ease(t));
            assert!((got - expected).abs() < 1e-7, "{name} {t}: {got}");
        }
    }
}
