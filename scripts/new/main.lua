-- What to see: bands of colour that fold into a star. Change a number and save.

osc(20, 0.1, 1.2):kaleid(5):rotate(0, 0.1):out()
