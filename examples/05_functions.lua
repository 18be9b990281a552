-- Any number can be a Lua function of the context; `update` runs once a frame. Outputs feed each other.

bpm(96)

local function beat_flash(ctx)
  return math.max(0, 1 - ctx.beat % 1 * 2)
end

noise(4, 0.3)
  :color(0.3, beat_flash, 0.8)
  :tile(3, function(ctx) return 2 + math.floor(ctx.beat / 4) % 3 end)
  :out(o1)

shape(3, 0.4, 0.01)
  :rotate(0, 0.4)
  :mult(src(o1))
  :add(o0:scale(0.97):color(0.9, 0.95, 1), 0.7)
  :out(o0)

function update(ctx)
  if ctx.frame % 600 == 0 then print("still playing, beat " .. math.floor(ctx.beat)) end
end
