-- A flower of light that turns and breathes. Change a number, save, and watch.

osc(18, 0.08, 1.1)
  :kaleid(5)
  :modulate(noise(2.5, 0.15), 0.2)
  :rotate(0, 0.06)
  :color(1, 0.55, 0.9)
  :blend(o0:scale(1.03):rotate(0.01), 0.6)
  :out()
