use super::Bend;
use crate::ops::probe::{Probe, RATES, near};

#[test]
fn a_gate_goes_through_attack_decay_sustain_and_release_at_any_frame_rate() {
    for rate in RATES {
        let mut probe = Probe::new("env.adsr");
        probe.set("attack", 0.2).set("decay", 0.4);
        probe.set("sustain", 0.5).set("release", 1.0);
        near(probe.play(0.0, 1.0, rate), 0.0, "closed");
        probe.set("gate", true);
        near(probe.play(1.0, 1.1, rate), 0.5, "attack");
        near(probe.play(1.1, 1.4, rate), 0.75, "decay");
        near(probe.play(1.4, 3.0, rate), 0.5, "sustain");
        near(
            probe.set("sustain", 0.8).play(3.0, 3.1, rate),
            0.8,
            "moved sustain",
        );
        probe.set("gate", false);
        near(probe.play(3.1, 3.1, rate), 0.8, "release begins");
        probe.play(3.1, 3.35, rate);
        near(probe.play(3.35, 3.35, rate), 0.6, "release");
        near(probe.play(3.35, 5.0, rate), 0.0, "released");
    }
}

#[test]
fn opened_again_a_gate_rises_from_where_it_is() {
    for curve in [Bend::Linear, Bend::Exponential] {
        let mut probe = Probe::new("env.adsr");
        probe
            .set("attack", 0.1)
            .set("release", 1.0)
            .set("curve", curve);
        probe.set("gate", true).play(0.0, 2.0, 100.0);
        let before = probe.set("gate", false).play(2.0, 2.5, 100.0);
        let at = probe.set("gate", true).number_at(2.5);
        near(at, before, "when it opens");
        let after = probe.number_at(2.51);
        assert!(after > before && after < 1.0, "{before} {after}");
    }
}

#[test]
fn without_attack_and_decay_a_gate_is_a_switch() {
    let mut probe = Probe::new("env.adsr");
    probe
        .set("attack", 0.0)
        .set("decay", 0.0)
        .set("release", 0.0);
    probe.number_at(0.0);
    assert_eq!(probe.set("gate", true).number_at(0.01), 0.5);
    assert_eq!(probe.set("gate", false).number_at(0.02), 0.0);
}

#[test]
fn an_exponential_way_is_fast_at_first_and_arrives() {
    let mut probe = Probe::new("env.ad");
    probe
        .set("attack", 0.0)
        .set("decay", 1.0)
        .set("curve", Bend::Exponential);
    near(probe.set("trigger", true).number_at(0.0), 1.0, "event");
    // Half of its way it has six half-lives; half of them leave an eighth, less the 64th that it is stretched by.
    near(
        probe.play(0.05, 0.5, 20.0),
        (1.0 / 8.0 - 1.0 / 64.0) / (63.0 / 64.0),
        "half",
    );
    near(probe.play(0.5, 1.0, 20.0), 0.0, "end");
}

#[test]
fn an_event_rises_and_falls_and_another_starts_from_there() {
    for rate in RATES {
        let mut probe = Probe::new("env.ad");
        probe.set("attack", 0.5).set("decay", 1.0);
        near(probe.play(0.0, 0.5, rate), 0.0, "before");
        near(
            probe.set("trigger", true).play(0.5, 0.75, rate),
            0.5,
            "attack",
        );
        near(
            probe.set("trigger", false).play(0.75, 1.5, rate),
            0.5,
            "decay",
        );
        near(
            probe.set("trigger", true).play(1.5, 1.75, rate),
            0.75,
            "again",
        );
        near(probe.play(1.75, 4.0, rate), 0.0, "end");
    }
}

#[test]
fn a_decay_halves_with_each_half_life() {
    for rate in RATES {
        let mut probe = Probe::new("env.decay");
        probe.set("half_life", 0.5);
        near(probe.play(0.0, 0.5, rate), 0.0, "before");
        near(
            probe.set("trigger", true).play(0.5, 0.5, rate),
            1.0,
            "event",
        );
        near(probe.play(0.5, 1.0, rate), 0.5, "one");
        near(probe.play(1.0, 2.0, rate), 0.125, "three");
    }
    let mut probe = Probe::new("env.decay");
    probe.set("half_life", 0.0).set("trigger", true);
    assert_eq!([0.0, 0.1].map(|time| probe.number_at(time)), [1.0, 0.0]);
}

#[test]
fn a_ramp_goes_up_after_each_event_and_stays() {
    for rate in RATES {
        let mut probe = Probe::new("env.ramp");
        probe.set("seconds", 2.0);
        near(probe.play(0.0, 1.0, rate), 0.0, "before");
        near(
            probe.set("trigger", true).play(1.0, 1.5, rate),
            0.25,
            "on its way",
        );
        near(probe.play(1.5, 4.0, rate), 1.0, "there");
        probe.set("trigger", false).play(4.0, 4.5, rate);
        near(
            probe.set("trigger", true).play(4.5, 5.0, rate),
            0.25,
            "again",
        );
    }
    let mut probe = Probe::new("env.ramp");
    assert_eq!(
        probe
            .set("seconds", 0.0)
            .set("trigger", true)
            .number_at(0.0),
        1.0
    );
}
