"""Writes beans.csv: made-up measurements of four sorts of beans, with words, reals and missing values.

python examples/make_beans.py examples/beans.csv
"""

import csv
import random
import sys

# sort: weight in grams, length and width in millimetres, and how often each colour occurs
SORTS = {
    "black turtle": ((0.21, 0.03), (9.1, 0.7), (5.6, 0.4), {"black": 0.95, "brown": 0.05}),
    "cannellini": ((0.51, 0.06), (14.9, 1.0), (7.4, 0.5), {"white": 0.9, "cream": 0.1}),
    "navy": ((0.20, 0.03), (8.2, 0.6), (6.1, 0.4), {"white": 0.85, "cream": 0.15}),
    "pinto": ((0.38, 0.05), (12.6, 1.1), (7.9, 0.6), {"speckled": 0.8, "brown": 0.15, "cream": 0.05}),
}
ROWS = 800
MISSING = 0.02


def main(path: str) -> None:
    chance = random.Random(1)
    with open(path, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["bean", "weight (g)", "length (mm)", "width (mm)", "colour", "moisture (%)", "sort"])
        for number in range(1, ROWS + 1):
            sort = chance.choice(list(SORTS))
            *sizes, colours = SORTS[sort]
            weight, length, width = (chance.gauss(mean, spread) for mean, spread in sizes)
            colour = chance.choices(list(colours), list(colours.values()))[0]
            cells = [f"{weight:.3f}", f"{length:.1f}", f"{width:.1f}", colour, f"{chance.gauss(14, 2):.1f}"]
            kept = ["" if chance.random() < MISSING else cell for cell in cells]
            table.writerow([f"B{number:04}", *kept, sort])


if __name__ == "__main__":
    main(sys.argv[1])
