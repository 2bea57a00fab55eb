"""The parts of a report about trust: what was checked, what was not, and how to make the report again."""

from __future__ import annotations

from dbhw.report.evidence import Rung
from dbhw.report.page.facts import Facts
from dbhw.report.page.html import Content, Html, section, table, tag

_CLASSES = {True: "good", False: "bad", None: "open"}
_SIGNS = {True: "✓", False: "✗", None: "○"}


def evidence(facts: Facts) -> Html:
    """The ladder of evidence, and what remains open.

    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.net import Net
    >>> from dbhw.report.page.facts import bare
    >>> "What was not checked" in evidence(bare(Model(Net(2, []), (), ("a", "b"), ("c", "d"))))
    True
    """
    rows = [_row(rung) for rung in facts.rungs if rung.passed is not None or rung.amount]
    intro = f"Checked on {facts.made}, with the files and versions below."
    heads = ["claim", "outcome", "on", "how", "seconds"]
    ladder = table("The ladder of evidence", heads, rows, [4]) if rows else tag("p", "Nothing was checked.")
    pairs = [
        (tag("dt", key), tag("dd", tag("span", value, class_="mono digest"))) for key, value in facts.digests.items()
    ]
    versions = ", ".join(f"{name} {number}" for name, number in facts.versions.items())
    return section(
        "evidence",
        "Evidence",
        tag("p", intro),
        ladder,
        tag("h3", "What was not checked"),
        tag("ul", [tag("li", line) for line in open_questions(facts)]),
        tag("h3", "Digests and versions"),
        tag("dl", pairs, tag("dt", "versions"), tag("dd", versions), class_="pairs"),
    )


def _row(rung: Rung) -> list[Content]:
    outcome = tag("span", f"{_SIGNS[rung.passed]} {rung.said}", class_=_CLASSES[rung.passed])
    return [rung.claim, outcome, rung.amount, rung.how, f"{rung.seconds:.1f}" if rung.seconds else ""]


def open_questions(facts: Facts) -> list[str]:
    """What the report cannot vouch for, in sentences.

    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.net import Net
    >>> from dbhw.report.page.facts import bare
    >>> open_questions(bare(Model(Net(2, []), (), ("a", "b"), ("c", "d"))))[-1]
    'Nothing ran on a board: dbhw build, dbhw program and dbhw run do that.'
    """
    found = [f"{rung.claim}: {rung.how}." for rung in facts.rungs if rung.passed is None]
    if facts.tested is None:
        found.append("Accuracy: there was no data.")
    if any(not size.measured for size in facts.sizes.values()):
        found.append("Sizes that are marked as recorded with the model were not measured again.")
    if not facts.placed:
        found.append("Timing in nanoseconds: nothing was placed and routed.")
    return [
        *found,
        "Proofs trust that Yosys reads Verilog and its models of the cells rightly, and that ABC's solver is sound.",
        "No proof covers place and route, the bitstream, the vendor's silicon, or the serial link.",
        "Accuracy is that on the examples named above. Inputs of another kind may be answered with less of it.",
        "Nothing ran on a board: dbhw build, dbhw program and dbhw run do that.",
    ]


def again(facts: Facts) -> Html:
    """Commands that make the model's figures again, and where the model comes from.

    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.net import Net
    >>> from dbhw.report.page.facts import bare
    >>> "dbhw report" in again(bare(Model(Net(2, []), (), ("a", "b"), ("c", "d")), command="dbhw report a.dbnet"))
    True
    """
    code = tag("pre", tag("code", facts.command), tabindex=0, role="region", aria_label="Commands")
    kept = facts.model.provenance
    settings = kept.get("settings")
    pairs = {
        "trained on": kept.get("data"),
        "settings": ", ".join(f"{k} {v}" for k, v in settings.items()) if isinstance(settings, dict) else None,
        "rows": _rows(kept.get("split")),
        "report took": f"{facts.seconds:.0f} s",
    }
    listed = [(tag("dt", key), tag("dd", str(value))) for key, value in pairs.items() if value]
    words = "The same model file gives the same figures. The same seed trains the same bits on the same machine."
    return section(
        "again", "Make it again", code, tag("dl", listed, class_="pairs"), tag("p", words, class_="small faint")
    )


def _rows(split: object) -> str | None:
    rows = split.get("rows") if isinstance(split, dict) else None
    if not isinstance(rows, dict):
        return None
    return ", ".join(f"{number} for {part}" for part, number in rows.items())
