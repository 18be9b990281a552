-- A spark draws a trail, because the picture is fed its own last frame, a little larger and turned.

local spark = shape(4, 0.05, 0.02)
  :color(1, 0.7, 0.3)
  :scroll(sin(time * 1.3) * 0.3, cos(time * 0.9) * 0.3)

spark
  :add(o0:scale(1.015):rotate(0.02):color(0.97, 0.95, 0.99), 0.92)
  :out()
