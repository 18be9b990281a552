-- Sparks draw trails, because the picture is fed its own last frame, a little larger and turned.

local function spark(speed, r, g, b)
  return shape(4, 0.06, 0.05)
    :color(r, g, b)
    :scale(1, 1 / aspect)
    :scroll(sin(time * speed) * 0.3, cos(time * speed * 0.7) * 0.25)
end

spark(1.3, 1, 0.6, 0.2)
  :add(spark(1.9, 0.2, 0.5, 1))
  :add(spark(0.8, 0.9, 0.2, 0.6))
  :add(o0:scale(1.02):rotate(0.02):color(0.96, 0.95, 0.98), 0.95)
  :out()
