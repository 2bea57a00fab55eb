"""Random nets through every check, and damaged files and frames through every reader, for some minutes.

python -m bench.fuzz [--minutes 10] [--only nets|files] [--simulate] [--seed 0] [--json]

Nets have layers, encoders, weights, pipelines, streams, loadable weights and families at random. A check that fails is
shrunk to the smallest case that hypothesis finds, which is written to `tests/found/` as a test. A damaged file must be
refused in one line, or read; anything else is a fault of the reader. With atheris (the extra `fuzz`) damage is
guided by coverage. `make fuzz MINUTES=n` runs this.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
import time
from collections import Counter
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from bench.fuzz_files import files
from bench.fuzz_found import write_test
from dbhw.data import stimuli
from dbhw.fpga import families
from dbhw.logic import evaluate
from dbhw.model.file import from_bytes
from dbhw.model.model import Model
from dbhw.nn.net import labels
from dbhw.prove.equivalence import prove_emitted
from dbhw.prove.meanings import lowering
from dbhw.prove.watch import Watch
from dbhw.rtl.loadable import emit_as
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.sim.run import simulate
from tests.kit import naive, samples

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
            write_test(f"net_{number}", "fuzz", call, wrong)
        number += 1
    return done


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
