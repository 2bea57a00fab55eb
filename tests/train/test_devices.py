"""A batch shared out over eight devices or two processes trains the model that one device trains, up to rounding."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


def start(output, devices, *options):
    environment = dict(os.environ, XLA_FLAGS=f"--xla_force_host_platform_device_count={devices}", JAX_PLATFORMS="cpu")
    command = [sys.executable, "-m", "tests.kit.one_share", str(output), *map(str, options)]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)


def finish(process):
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors


def trained(output, devices, *options):
    finish(start(output, devices, *options))
    return dict(np.load(output))


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("alone") / "one.npz", 1)


def assert_same(found, wanted):
    assert found.keys() == wanted.keys()
    for name in wanted:
        np.testing.assert_allclose(found[name], wanted[name], rtol=1e-4, atol=1e-5, err_msg=name)


def test_eight_devices(alone, tmp_path):
    assert_same(trained(tmp_path / "eight.npz", 8), alone)


def test_a_run_moves_from_one_device_to_eight_at_a_checkpoint(alone, tmp_path):
    states = tmp_path / "states"
    states.mkdir()
    trained(tmp_path / "stopped.npz", 1, "--checkpoints", states, "--stop", 5)
    assert len(list(states.iterdir())) == 2
    moved = trained(tmp_path / "moved.npz", 8, "--checkpoints", states)
    assert len(moved.pop("counted losses")) == len(moved.pop("dropped losses")) == 2  # epochs 5 and 6
    assert_same(moved, {name: w for name, w in alone.items() if "losses" not in name})


def test_two_processes(alone, tmp_path):
    """With one of the nets: that layers of every kind are spread right, eight devices show."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
    outputs = [tmp_path / f"{i}.npz" for i in range(2)]
    processes = [start(output, 1, "--join", address, 2, i, "--only", "dropped") for i, output in enumerate(outputs)]
    for process in processes:
        finish(process)
    wanted = {name: values for name, values in alone.items() if name.startswith("dropped")}
    assert len(wanted) > 1
    for output in outputs:
        assert_same(dict(np.load(output)), wanted)
