-- Any number can be a Lua function of the context, and `update` runs once a frame. Outputs feed each other.

bpm(96)

local function flash(ctx)
  return math.max(0.15, 1 - ctx.beat % 1 * 2)
end

noise(4, 0.3)
  :color(0.35, flash, 0.9)
  :tile(3, function(ctx) return 2 + math.floor(ctx.beat / 4) % 3 end)
  :out(o1)

shape(3, 0.5, 0.3)
  :rotate(0, 0.4)
  :scale(1.4, 1 / aspect)
  :mult(src(o1))
  :add(o0:scale(1.02):rotate(0.01):color(0.8, 0.85, 0.95), 0.8)
  :out(o0)

function update(ctx)
  if ctx.frame % 1200 == 0 then print("still playing, beat " .. math.floor(ctx.beat)) end
end
