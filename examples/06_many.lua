-- One petal drawn twelve times is a flower; the small one inside turns the other way. A comet leaves a blurred trail.

local u, way = variable("u"), variable("way")

local petal = shape(4, 0.3 + 0.15 * (beat * 3.1416):sin():abs(), 0.05)
  :scale(0.3, 1, 0.4, 0.82)
  :color(1, u, 1 - u)
  :rotate(way * (u * 5.76 + time * 0.3))

local flower = petal:loop{ count = 12, blend = "lighten" }:scale(1, 1 / aspect)

local comet = shape(60, 0.3, 0.3)
  :scale(0.2, 1, 1, 0.98)
  :rotate(0, 6)
  :motion_blur{ samples = 16, shutter = 8 }
  :scale(1, 1 / aspect)

flower:with_variable("way", 1)
  :add(flower:with_variable("way", -1):scale(0.5))
  :add(comet)
  :out()
