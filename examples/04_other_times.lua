-- One idea at four times: each ring shows the same chain as it was, or will be, or runs at another pace.

local idea = osc(10, 0.2, 1.5):kaleid(3):rotate(0, 0.3)

local function ring(radius)
  return shape(80, radius, 0.02)
end

idea:with_time{ offset = -2 }
  :blend(idea:with_time{ offset = 1.5 }:mult(ring(0.75)):add(solid()), 0.8)
  :add(idea:with_time{ scale = 3 }:mult(ring(0.45)), 0.8)
  :blend(idea:with_time{ at = 0 }:with_resolution{ scale = 0.1 }:mult(ring(0.2)), 0.35)
  :out()
