-- One idea at four times: as it was, as it will be, at another pace, and standing still in large pixels.

local idea = osc(10, 0.2, 1.5):kaleid(3):rotate(0, 0.3)

local function disc(radius)
  return shape(80, radius, 0.01):scale(1, 1 / aspect)
end

local past   = idea:with_time{ offset = -2 }
local future = idea:with_time{ offset = 1.5 }
local fast   = idea:with_time{ scale = 3 }
local still  = idea:with_time{ at = 0 }:with_resolution{ width = 32, height = 18 }

past:color(0.3, 0.3, 0.4)
  :add(future:mult(disc(0.8)), 0.5)
  :add(fast:mult(disc(0.5)), 0.6)
  :add(still:mult(disc(0.2)))
  :out()
