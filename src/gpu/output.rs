//! The four outputs: each shows a front texture and draws into a back one.

use crate::ops::output::OUTPUTS;
use crate::shader::Plan;
use crate::value::Size;

use super::blit::{Blit, Look};
use super::card::Card;
use super::target::{OUTPUT, Target};

/// One output.
pub(super) struct Output {
    /// What it shows: the last picture.
    pub(super) front: Target,
    /// What the next picture is drawn into.
    pub(super) back: Target,
    /// What `front` was drawn from; `None` when it is black.
    pub(super) drawn: Option<Plan>,
    /// Whether `front` is only a scaled copy of what `drawn` gave.
    scaled: bool,
}

impl Output {
    fn new(card: &Card, size: Size) -> Self {
        Self {
            front: Target::new(card, size, OUTPUT),
            back: Target::new(card, size, OUTPUT),
            drawn: None,
            scaled: false,
        }
    }

    /// Shows what was drawn.
    pub(super) fn swap(&mut self) {
        std::mem::swap(&mut self.front, &mut self.back);
        self.scaled = false;
    }

    /// Whether drawing `plan` would give what is shown already, pixel for pixel.
    pub(super) fn shows(&self, plan: &Plan) -> bool {
        !self.scaled && self.drawn.as_ref().is_some_and(|drawn| same(drawn, plan))
    }
}

/// All outputs, of one size.
pub(super) struct Outputs {
    pub(super) all: [Output; OUTPUTS],
    pub(super) size: Size,
}

impl Outputs {
    pub(super) fn new(card: &Card, size: Size) -> Self {
        Self {
            all: std::array::from_fn(|_| Output::new(card, size)),
            size,
        }
    }

    /// Gives every output a new size; what it showed is scaled, so that feedback goes on from it. False when the
    /// size is the same.
    pub(super) fn resize(
        &mut self,
        card: &Card,
        blit: &mut Blit,
        encoder: &mut wgpu::CommandEncoder,
        size: Size,
    ) -> bool {
        if size == self.size {
            return false;
        }
        self.size = size;
        for output in &mut self.all {
            let old = std::mem::replace(&mut output.front, Target::new(card, size, OUTPUT));
            output.back = Target::new(card, size, OUTPUT);
            if output.drawn.is_some() {
                output.scaled = true;
                let mut pass = output.front.pass(encoder);
                blit.draw(card, &mut pass, &old, OUTPUT, Look::Raw);
            }
        }
        true
    }
}

/// Whether two plans draw the same picture at the same size. Never true of one that reads an output: that changes
/// by itself.
fn same(a: &Plan, b: &Plan) -> bool {
    use crate::shader::Texture;
    a.passes.len() == b.passes.len()
        && a.passes.iter().zip(&b.passes).all(|(a, b)| {
            a.program.key == b.program.key
                && a.size == b.size
                && a.textures == b.textures
                && !a
                    .textures
                    .iter()
                    .any(|texture| matches!(texture, Texture::Output(_)))
                && a.numbers.len() == b.numbers.len()
                && a.numbers
                    .iter()
                    .zip(&b.numbers)
                    .all(|(a, b)| a.to_bits() == b.to_bits())
        })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::shader::{Pass, Program, Texture};

    fn plan(key: u128, numbers: &[f32], textures: &[Texture], size: Option<Size>) -> Plan {
        let program = Program {
            key,
            wgsl: String::new(),
            numbers: numbers.len(),
            textures: textures.len(),
        };
        let pass = Pass {
            program: Arc::new(program),
            numbers: numbers.to_vec(),
            textures: textures.to_vec(),
            size,
        };
        Plan { passes: vec![pass] }
    }

    #[test]
    fn a_plan_is_the_same_only_when_everything_that_draws_it_is() {
        let base = plan(1, &[0.0, 2.0], &[Texture::Pass(0)], None);
        assert!(same(
            &base,
            &plan(1, &[0.0, 2.0], &[Texture::Pass(0)], None)
        ));
        assert!(!same(
            &base,
            &plan(2, &[0.0, 2.0], &[Texture::Pass(0)], None)
        ));
        assert!(!same(
            &base,
            &plan(1, &[0.0, 2.5], &[Texture::Pass(0)], None)
        ));
        assert!(!same(
            &base,
            &plan(1, &[-0.0, 2.0], &[Texture::Pass(0)], None)
        ));
        assert!(!same(
            &base,
            &plan(1, &[0.0, 2.0], &[Texture::Pass(1)], None)
        ));
        assert!(!same(
            &base,
            &plan(1, &[0.0, 2.0], &[Texture::Pass(0)], Some(Size::new(4, 4)))
        ));
    }

    #[test]
    fn a_plan_that_reads_an_output_is_never_the_same() {
        let feedback = plan(1, &[], &[Texture::Output(0)], None);
        assert!(!same(&feedback, &feedback));
    }
}
