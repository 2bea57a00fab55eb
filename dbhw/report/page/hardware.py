"""The parts of a report about the hardware: layers, schematic, area, boards, timing, and accuracy against area."""

from __future__ import annotations

from base64 import b64encode

from dbhw import boards
from dbhw.fpga import families
from dbhw.model.lower import describe
from dbhw.report.explanation import comparisons
from dbhw.report.lines import of_placed
from dbhw.report.page import drawings, schematic
from dbhw.report.page.facts import Facts, Size
from dbhw.report.page.gates import circuit
from dbhw.report.page.html import Content, Html, bar, scrolling, section, table, tag


def structure(facts: Facts) -> Html:
    """The net drawn as layers and, where it is small, as gates.

    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.net import Net
    >>> from dbhw.report.page.facts import bare
    >>> structure(bare(Model(Net(2, []), (), ("a", "b"), ("c", "d")))).count("<svg")
    2
    """
    net = facts.model.net
    names = [describe(layer, shape) for layer, shape in zip(net.layers, net.input_shapes(), strict=True)]
    drawn = tag("figure", drawings.layers(net, names), tag("figcaption", "Layers, with the bits that leave each."))
    return section(
        "structure", "How it is built", tag("div", drawn, _facts_of_net(facts), class_="two"), *_gates(facts)
    )


def _facts_of_net(facts: Facts) -> Html:
    model, network = facts.model, facts.explanation.network
    columns = (
        f"{len(model.columns)} numbers or words, {model.net.inputs:,} bits"
        if model.columns
        else f"{model.net.inputs:,} bits"
    )
    pairs = {
        "inputs": columns,
        "classes": f"{len(model.classes)}: {_listed(model.classes)}",
        "weights": f"{model.net.weight_count:,} of one bit each",
        "logic": f"{len(network.needed()):,} nodes after simplifying",
        "answer": "the largest of the classes' scores"
        if model.net.integer_scores
        else "the first high bit, or the bit",
    }
    return tag("dl", [(tag("dt", key), tag("dd", value)) for key, value in pairs.items()], class_="pairs")


def _listed(names: tuple[str, ...], most: int = 12) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _gates(facts: Facts) -> list[Html]:
    network = facts.explanation.network
    found = comparisons(facts.model)
    names = [text for text, _ in found.texts] if found else list(network.input_names)
    drawn = circuit(network, facts.model.classes, names)
    if not schematic.fits(drawn):
        words = (
            f"The logic has {len(drawn.gates):,} gates and sums, too many to draw; dbhw export writes them to a file."
        )
        return [tag("p", words, class_="faint")]
    picture = scrolling("Schematic", schematic.draw(drawn, "Schematic of the learned logic"), class_="tall")
    words = "The logic as it is after simplifying, before synthesis. A small circle inverts; Σ adds up bits."
    return [tag("h3", "Schematic"), picture, tag("p", words, class_="small faint")]


def area(facts: Facts) -> Html:
    """Look-up tables by target and by layer, the share of each board, and the longest path.

    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.net import Net
    >>> from dbhw.report.page.facts import bare
    >>> "was not synthesised" in area(bare(Model(Net(2, []), (), ("a", "b"), ("c", "d"))))
    True
    """
    if not facts.sizes:
        words = "The net was not synthesised for this report. With --targets ice40,xilinx it is."
        return section("area", "Area and timing", tag("p", words))
    intro = "Everything is counted, from the input ports to the class: comparisons, tables, sums and argmax."
    rows = [_target(name, size) for name, size in facts.sizes.items()]
    heads = ["target", "LUTs", "LUT inputs", "flip-flops", "carries", "longest path", "figures"]
    whole = table("Area by target", heads, rows, [1, 2, 3, 4, 5])
    parts = [*_layers(facts), tag("h3", "Share of each board"), *_boards(facts), *_timing(facts)]
    return section("area", "Area and timing", tag("p", intro), whole, parts)


def _target(name: str, size: Size) -> list[Content]:
    measured = [size.ffs, size.carries] if size.measured else ["", ""]
    source = "synthesised for this report" if size.measured else "recorded with the model"
    return [name, f"{size.luts:,}", families.find(name).lut_inputs, *measured, f"{size.depth} cells", source]


def _layers(facts: Facts) -> list[Html]:
    made: list[Html] = []
    for target, rows in facts.layer_area.items():
        most = max([int(row["luts"]) for row in rows] + [1])
        lines = [(row["layer"], f"{row['luts']:,}", f"{row['depth']}", bar(int(row["luts"]) / most)) for row in rows]
        note = "Each part was synthesised alone. Their sum is not the whole, which synthesis maps at once."
        made += [
            tag("h3", f"Where the LUTs go on {target}"),
            table(f"Area by layer on {target}", ["part", "LUTs", "depth", "compared"], lines, [1, 2]),
            tag("p", note, class_="small faint"),
        ]
    return made


def _boards(facts: Facts) -> list[Html]:
    rows = []
    for name in boards.names():
        board = boards.find(name)
        size = facts.sizes.get(board.family)
        if size is not None:
            share = size.luts / board.luts
            words = f"{share:.1%}" + (" — does not fit" if share > 1 else "")
            rows.append(
                (
                    share,
                    (
                        board.title,
                        board.part,
                        f"{size.luts:,} of {board.luts:,}",
                        words,
                        bar(share, "over" if share > 1 else ""),
                    ),
                )
            )
    if not rows:
        return [tag("p", "No board of these families is known.")]
    ordered = [cells for _, cells in sorted(rows, key=lambda row: -row[0])]
    note = "The combinational core alone. The serial link comes in addition; dbhw build places and routes both."
    heads = ["board", "part", "LUTs", "share", "of its LUTs"]
    return [table("Share of each board", heads, ordered, [2, 3]), tag("p", note, class_="small faint")]


def _timing(facts: Facts) -> list[Html]:
    head = tag("h3", "Timing")
    if not facts.placed:
        depths = ", ".join(f"{size.depth} on {name}" for name, size in facts.sizes.items())
        words = (
            f"The longest path goes through this many cells (look-up tables and carries): {depths}. Nanoseconds need "
            "place and route: --place measures them."
        )
        return [head, tag("p", words)]
    made = [head]
    for name, placed in facts.placed.items():
        pairs = {
            "target": name,
            **of_placed(placed),
            "one answer takes": f"{1000 / placed.fmax_mhz:.2f} ns between registers",
        }
        pairs = {key: value.lstrip("█░ ") for key, value in pairs.items()}
        made.append(tag("dl", [(tag("dt", key), tag("dd", value)) for key, value in pairs.items()], class_="pairs"))
    return made


def against_area(facts: Facts) -> Html | None:
    """The plot of a pareto run; None without one.

    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.net import Net
    >>> from dbhw.report.page.facts import bare
    >>> against_area(bare(Model(Net(2, []), (), ("a", "b"), ("c", "d"))))
    """
    if not facts.pareto:
        return None
    # As an image of its own: its style must not reach the rest of the page.
    source = f"data:image/svg+xml;base64,{b64encode(facts.pareto.encode()).decode()}"
    image = tag(
        "img", src=source, alt="Accuracy against look-up tables of nets of several sizes", width=840, height=560
    )
    words = "Nets of other sizes on the same data, from the file that --pareto names; this report did not train them."
    return section("pareto", "Accuracy against area", scrolling("Accuracy against area", image), tag("p", words))
