"""The bench of large pipelines: what it proves is real, and a step that is not proved misses the goal."""

import json
import subprocess
import sys

import pytest

from bench import pipeline_proof


@pytest.fixture
def answer(capsys):
    def run(*arguments):
        code = pipeline_proof.main(["--json", *arguments])
        return code, json.loads(capsys.readouterr().out)

    return run


def test_a_small_pipeline_is_proved(answer):
    code, found = answer("--tables", "20", "--target", "ice40")
    assert (code, found["proved"], found["reached"]) == (0, True, True)
    names = [step["name"] for step in found["steps"]]
    registers = f"{found['latency']} registers on every path"
    assert names == ["model = network", "network = Verilog", registers, "Verilog = ice40 netlist"]
    assert found["seconds"] == pytest.approx(sum(seconds for _, seconds in found["parts"]), abs=0.1)


def test_a_step_that_is_not_proved_misses_the_goal(answer, monkeypatch):
    right = pipeline_proof.prove_emitted

    def wrong(emitted, target, watch):
        return right(emitted, target, emitted.verilog.replace(" & ", " | ", 1), watch)

    monkeypatch.setattr(pipeline_proof, "prove_emitted", wrong)
    code, found = answer("--tables", "20", "--target", "ice40")
    assert (code, found["proved"], found["reached"]) == (1, False, False)


def test_nets_of_one_seed_are_the_same():
    one, same, other = (pipeline_proof.random_model(30, seed) for seed in (1, 1, 2))
    assert one.digest() == same.digest() != other.digest()


def test_a_bench_that_reads_another_runs_by_its_path_too(tmp_path):
    ran = subprocess.run([sys.executable, pipeline_proof.__file__, "--help"], cwd=tmp_path, capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b"")
