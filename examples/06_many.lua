-- Twelve petals in every colour stand in a circle and open with the beat; behind them a comet draws a ring of light.

local index, u = variable("index"), variable("u")

local petal = shape(4, 0.1 + 0.05 * (beat * 3.1416):sin():abs(), 0.02)
  :scale(1, 1, 0.5)
  :color(variable("warmth"), u, 1 - u)
  :scroll(-0.22, 0)
  :rotate(u * 5.76 + time * 0.2)

local comet = shape(60, 0.06, 0.05):scroll(-0.36, 0):rotate(0, 6)

petal:with_variable("warmth", 1):loop{ count = 12, blend = "lighten" }
  :add(comet:motion_blur{ samples = 16, shutter = 8 })
  :scale(1, 1 / aspect)
  :out()
