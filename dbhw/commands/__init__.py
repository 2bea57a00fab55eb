"""The commands, one file each: `arguments` declares what it takes, `run` does it and returns the exit code."""

from __future__ import annotations

from dbhw.base.registry import Plugins

PLUGINS = Plugins("command", __name__)

# What people want to do, the commands for it in the order they are used, and an example of each; the help shows them.
GOALS: dict[str, dict[str, str]] = {
    "start": {
        "demo": "dbhw demo",
        "doctor": "dbhw doctor",
        "zoo": "dbhw zoo",
        "list": "dbhw list boards",
        "completion": 'eval "$(dbhw completion bash)"',
    },
    "train a net": {
        "data": "dbhw data examples/beans.csv",
        "train": "dbhw train examples/beans.csv --max-luts 200 --target ice40 -o beans.dbnet",
        "eval": "dbhw eval beans.dbnet --data examples/beans.csv",
        "pareto": "dbhw pareto examples/beans.csv --target ice40",
        "paper": "dbhw paper noisy-xor",
        "layers": "dbhw layers",
    },
    "understand it": {
        "explain": "dbhw explain zoo:iris-small",
        "verify": "dbhw verify zoo:iris-small --robust 1 --data iris",
        "report": "dbhw report zoo:iris-small -o report.html",
    },
    "make hardware": {
        "emit": "dbhw emit zoo:iris-small -o out",
        "sim": "dbhw sim zoo:iris-small --data iris",
        "prove": "dbhw prove zoo:iris-small --target ice40",
        "synth": "dbhw synth zoo:iris-small --target ice40 --place",
        "wrap": "dbhw wrap zoo:iris-small --for litex -o out",
    },
    "run it on a board": {
        "boards": "dbhw boards",
        "build": "dbhw build zoo:iris-small --board icebreaker -o bits",
        "program": "dbhw program bits",
        "run": "dbhw run zoo:iris-small --data iris --board icebreaker --simulate",
        "load": "dbhw load zoo:iris-small --port /dev/ttyUSB1",
        "weights": "dbhw weights zoo:iris-small -o weights.bin",
    },
    "work with other tools": {
        "export": "dbhw export zoo:iris-small --format aiger -o iris.aig",
        "import": "dbhw import multiplier.v -o multiplier.dbnet",
    },
}


def example(command: str) -> str:
    """A line that calls a command; empty for one of another package.

    >>> example("prove")
    'dbhw prove zoo:iris-small --target ice40'
    """
    return next((goal[command] for goal in GOALS.values() if command in goal), "")


def grouped(names: list[str]) -> dict[str, list[str]]:
    """The commands there are, by what they are for; those of other packages come last.

    >>> grouped(["zoo", "mine", "demo"])
    {'start': ['demo', 'zoo'], 'more': ['mine']}
    """
    found = {goal: [name for name in own if name in names] for goal, own in GOALS.items()}
    found["more"] = [name for name in names if not example(name)]
    return {goal: own for goal, own in found.items() if own}
