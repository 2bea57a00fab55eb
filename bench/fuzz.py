"""Random nets through every check, and damaged files and frames through every reader, for some minutes.

python -m bench.fuzz [--minutes 10] [--only nets|files] [--simulate] [--seed 0] [--json]

Nets have layers, encoders, weights, pipelines, streams, loadable weights and families at random. A check that fails is
shrunk to the smallest case that hypothesis finds, which is written to `tests/found/` as a test. A damaged file must be
refused in one line, or read; anything else is a fault of the reader. `make fuzz MINUTES=n` runs this.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from dbhw.base import files as base_files
from dbhw.base.errors import DbhwError
from dbhw.boards.host import frames
from dbhw.data import stimuli
from dbhw.data.tables import read as tables
from dbhw.fpga import families
from dbhw.logic import evaluate
from dbhw.logic.formats import json as json_format
from dbhw.model.file import from_bytes
from dbhw.model.model import Model
from dbhw.model.model import load as load_model
from dbhw.nn.net import labels
from dbhw.prove.equivalence import prove_emitted
from dbhw.prove.meanings import lowering
from dbhw.prove.properties import rules
from dbhw.prove.watch import Watch
from dbhw.rtl.loadable import emit_as
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.sim.run import simulate
from tests.kit import naive, samples

FOUND = Path(__file__).parents[1] / "tests" / "found"
SHAPES = [
    ("comb", False),
    ("stages=1", False),
    ("stages=3", False),
    ("levels=1", True),
    ("stages=2", True),
    ("comb", True),
]
_PROOF_SECONDS = 60.0
Case = tuple[Model, str, str, str, bool]


@st.composite
def cases(draw: Any) -> Case:
    """A model, a family, kind of weights, pipeline and stream.

    >>> isinstance(cases().example()[0], Model)  # doctest: +SKIP
    True
    """
    model = draw(samples.models(most_inputs=8))
    pipeline, stream = draw(st.sampled_from(SHAPES))
    loadable = bool(model.net.weight_count) and draw(st.integers(0, 4)) == 0
    target = draw(st.sampled_from(families.names()))
    return (model, target, "loadable", "comb", False) if loadable else (model, target, "baked", pipeline, stream)


def model_of(raw: bytes) -> Model:
    """The model in the bytes of a model file.

    >>> from dbhw.nn.net import Net
    >>> model_of(Model(Net(1, []), (), ("a",), ("no", "yes")).to_bytes()).features
    ('a',)
    """
    content = from_bytes("found.dbnet", raw)
    return Model(content.net, content.soft_weights, content.features, content.classes, {}, content.columns)


def check_net(case: Case, simulated: bool = False) -> None:
    """Takes one case through the ladder: naive = hard = network = Verilog = netlist.

    >>> from dbhw.nn.net import Net
    >>> check_net((Model(Net(2, []), (), ("a", "b"), ("no", "yes")), "ice40", "baked", "comb", False))
    """
    model, target, weights, pipeline, stream = case
    x = stimuli.choose(model.net.inputs, "200")
    hard = model.outputs(x, engine="numpy")
    plain = [None if w is None else w.astype(int).tolist() for w in model.weights]
    layers = [layer.to_json() for layer in model.net.layers]
    slow = [naive.run(layers, plain, row) for row in x[:40].astype(int).tolist()]
    assert np.array_equal(hard[:40], slow), "hard net = naive reference"
    network = model.to_network()
    found = evaluate.on_words(network, x)
    assert np.array_equal(found[network.outputs[1].name].reshape(len(x), -1), hard), "network = hard net"
    assert np.array_equal(found["label"].ravel(), labels(hard)), "label = hard net's"
    emitted = emit_as(weights, model, families.find(target).lut_inputs, pipeline=pipeline, stream=stream)
    steps = [lowering.step(model, emitted.lowered, weights == "loadable")]
    steps += prove_emitted(emitted, target, watch=Watch(_PROOF_SECONDS))
    wrong = [step.name for step in steps if not step.proved and not step.undecided]
    assert not wrong, f"{wrong} must be proved"
    if simulated and weights == "baked":
        seen = simulate(emitted.verilog, emitted.module, Vectors.of(model, emitted.manifest, x))
        assert seen.mismatches == 0, "simulation = hard net"


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Bytes with a few faults: flipped, dropped, doubled, cut off, or replaced by what often is an edge.

    >>> damaged(b"abc", random.Random(0)) != b"abc"
    True
    """
    found = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 4, 16])):
        place, kind = chance.randrange(len(found) + 1), chance.randrange(6)
        length = chance.choice([1, 2, 8, 64])
        if kind == 0 and place < len(found):
            found[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del found[place : place + length]
        elif kind == 2:
            found[place:place] = found[place : place + length]
        elif kind == 3 and chance.random() < 0.2:
            del found[place:]
        elif kind == 4:
            found[place : place + length] = bytes(chance.choices(range(256), k=length))
        else:
            found[place:place] = chance.choice(
                [b"\x00", b"\xff" * 8, b"\n", b",", b'"', b"-1", b"1e999", b"NaN", b"{", b"[]"]
            )
    return bytes(found)


def _as_table(name: str) -> Callable[[bytes], object]:
    def read(raw: bytes) -> object:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_bytes(raw)
            return tables.read(path)

    return read


def _as_rule(raw: bytes) -> object:
    return rules.parse(raw.decode(errors="replace"), ["cold", "very cold", "rain"], ["t-shirt", "coat"])


def readers() -> dict[str, tuple[list[bytes], Callable[[bytes], object]]]:
    """By kind: valid contents, and what reads them.

    >>> sorted(readers())
    ['csv', 'frame', 'model', 'model content', 'network', 'npz', 'rule']
    """
    drawn = np.random.default_rng(0)
    model = load_model(Path(__file__).parents[1] / "dbhw" / "zoo" / "iris-small.dbnet")
    with tempfile.TemporaryDirectory() as folder:
        np.savez(Path(folder, "a.npz"), x=drawn.random((8, 3)) < 0.5, y=drawn.integers(0, 2, 8))
        np.savez_compressed(Path(folder, "b.npz"), x=drawn.integers(0, 9, (8, 3)), y=drawn.integers(0, 2, 8))
        archives = [Path(folder, name).read_bytes() for name in ("a.npz", "b.npz")]
    csv = b"length,colour,label\n1.5,red,a\n2.5,blue,b\n0,red,a\n1e3,green,b\n"
    spaced = "größe;wert;klasse\n1,5;3;a\n2,5;4;b\n0,1;5;a\n".encode("latin-1")
    raw = model.to_bytes()
    return {
        "csv": ([csv, spaced], _as_table("a.csv")),
        "frame": ([frames.frame(bytes(range(256)))[1:-1], frames.frame(b"\xc0\xdb")[1:-1]], frames.unframe),
        "model": ([raw], lambda data: from_bytes("a.dbnet", data)),
        "model content": ([json.dumps(model.net.to_json()).encode()], _as_net),
        "network": (
            [json_format.write(model.to_network()).encode()],
            lambda data: json_format.read(data.decode(errors="replace")),
        ),
        "npz": (archives, _as_table("a.npz")),
        "rule": ([b"cold and not 'very cold' -> coat", b"(rain or cold) -> (coat)"], _as_rule),
    }


def _as_network(raw: bytes) -> object:
    return json_format.read(raw.decode(errors="replace"))


def _as_net(raw: bytes) -> object:
    """A net out of damaged JSON, as a model file with a right digest would hold it."""
    from dbhw.nn.net import Net

    try:
        data = json.loads(raw)
        return Net.from_json(data)
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, ValueError, TypeError, AttributeError, RecursionError):
        return None  # these are what the reader of model files turns into one line


def check_file(kind: str, raw: bytes) -> None:
    """Reads damaged bytes: they are read, or refused by a `DbhwError` of one line.

    >>> check_file("rule", b"cold -> -> coat")
    """
    try:
        readers()[kind][1](raw)
    except DbhwError as refused:
        if "\n" in str(refused):
            raise AssertionError(f"an error must be one line, not {refused}") from refused


def nets(minutes: float, first: int, simulated: bool) -> Counter[str]:
    """Draws nets until the time is over.

    >>> nets(0, 0, False)
    Counter()
    """
    done: Counter[str] = Counter()
    end, number = time.monotonic() + 60 * minutes, first
    last: list[Case] = []
    while time.monotonic() < end:

        @seed(number)
        @settings(
            max_examples=10,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, Phase.shrink],
        )
        @given(cases())
        def one(case: Case) -> None:
            if time.monotonic() < end:
                last[:] = [case]
                check_net(case, simulated)
                done["nets"] += 1
                done[f"{case[2]} {case[3]}{' stream' * case[4]}"] += 1

        try:
            one()
        except Exception as wrong:  # whatever is raised is a find
            done["failures"] += 1
            model, *options = last[0]
            text = base64.b64encode(model.to_bytes()).decode()
            call = f'fuzz.check_net((fuzz.model_of(base64.b64decode("{text}")), *{tuple(options)!r}))'
            _write_test(f"net_{number}", call, wrong)
        number += 1
    return done


def files(minutes: float, first: int) -> Counter[str]:
    """Damages files and frames until the time is over.

    >>> files(0, 0)
    Counter()
    """
    done: Counter[str] = Counter()
    end, chance, known = time.monotonic() + 60 * minutes, random.Random(first), readers()
    seen: set[str] = set()
    while time.monotonic() < end:
        kind = chance.choice(list(known))
        raw = damaged(chance.choice(known[kind][0]), chance)
        done[kind] += 1
        try:
            known[kind][1](raw)
        except DbhwError as refused:
            if "\n" not in str(refused):
                continue
            wrong: Exception = AssertionError(str(refused))
        except Exception as other:  # whatever is raised is a find
            wrong = other
        else:
            continue
        where = f"{kind} {type(wrong).__name__} {_place(wrong)}"
        done["failures"] += 1
        if where not in seen:
            seen.add(where)
            text = base64.b64encode(raw).decode()
            name = base_files.sha256(where)[:8]
            _write_test(f"file_{name}", f'fuzz.check_file("{kind}", base64.b64decode("{text}"))', wrong)
    return done


def _place(wrong: Exception) -> str:
    place = wrong.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return "" if place is None else f"{Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"


def _write_test(name: str, call: str, wrong: Exception) -> None:
    FOUND.mkdir(exist_ok=True)
    lines = [
        f'"""Found by bench.fuzz: {" ".join(f"{type(wrong).__name__}: {wrong}".split())[:150]}"""',
        "\nimport base64\n\nfrom bench import fuzz",
        f"\n\ndef test_{name}():\n    {call}\n",
    ]
    base_files.write(FOUND / f"test_{name}.py", "\n".join(lines))
    print(f"found: {FOUND.name}/test_{name}.py: {type(wrong).__name__}: {wrong}", file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Runs the bench.

    >>> main(["--minutes", "0", "--json"])
    {"nets": {}, "files": {}}
    0
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--only", choices=["nets", "files"])
    parser.add_argument("--simulate", action="store_true", help="simulate every net too")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    share = args.minutes if args.only else args.minutes / 2
    found: dict[str, Counter[str]] = {}
    if args.only != "files":
        found["nets"] = nets(share, args.seed, args.simulate)
    if args.only != "nets":
        found["files"] = files(share, args.seed)
    print(json.dumps({name: dict(counts) for name, counts in found.items()}) if args.json else found)
    return 1 if any(counts["failures"] for counts in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
