//! MIDI through the kernel's sequencer, the path of the default build; runs in the guest of `midi_kernel.sh`.
