-- Sound opens it, knob 74 turns it, the mouse moves it, the space bar turns it inside out.
-- Without a microphone, a controller or a mouse it still moves.

local bass = audio.low:damp(0.08)
local knob = midi.cc(74):damp(0.1)
local petals = shape(5, 0.3 + audio.level * 0.4, 0.7)

osc(12 + audio.high * 30, 0.08, 1.4)
  :kaleid(10)
  :mult(petals)
  :modulate(noise(2, 0.15), 0.1 + bass * 0.4)
  :rotate(knob:range(0, 2 * math.pi), 0.05)
  :scale(1.2 + bass * 0.6, 1 / aspect)
  :scroll(mouse.x * 0.4, mouse.y * 0.4)
  :invert(key("space"))
  :add(o0:scale(1.02):rotate(0.02):color(0.98, 0.94, 0.99), 0.5 + midi.note(36) * 0.4)
  :out()
