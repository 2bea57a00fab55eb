"""A small table of beans."""

GOOD = "weight,size,kind\n5.5,9,red\n4.5,14,white\n3.2,8,red\n6.1,15,white\n3.5,10,red\n4.8,13,white\n"
ROWS = GOOD.partition("\n")[2]
