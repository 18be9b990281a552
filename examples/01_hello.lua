-- A flower of light that turns and breathes. Change a number, save, and watch.

osc(24, 0.08, 0.9)
  :kaleid(3)
  :kaleid(6)
  :mult(shape(60, 0.5, 0.6))
  :modulate(noise(1.5, 0.2), 0.12)
  :rotate(0, 0.1)
  :scale(1.5, 1 / aspect)
  :color(1, 0.55, 1)
  :add(o0:scale(1.03):rotate(0.02), 0.35)
  :out()
