-- Sound bends it, knob 74 turns it, the mouse moves it, the space bar turns it inside out.
-- Without a microphone, a controller or a mouse it still moves.

local bass = audio.low:damp(0.08)
local glow = audio.level * 0.5 + 0.5
local turn = midi.cc(74):damp(0.1):range(0, 6.283)

local rings = shape(60, 0.25 + bass * 0.4, 0.3)
  :color(0.2 + audio.high, 0.35, 0.9)
  :scroll(mouse.x * 0.3, mouse.y * 0.3)

osc(14 + audio.low_mid * 30, 0.1, 1.4)
  :rotate(turn, 0.05)
  :modulate(noise(3, 0.2), 0.1 + bass * 0.5)
  :mult(rings, glow)
  :add(rings, 0.35)
  :invert(key("space"))
  :add(o0:scale(1.01 + bass * 0.1), 0.4)
  :out()
