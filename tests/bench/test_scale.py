"""The benches of scale and of the MNIST net: what they measure is real, and a missed goal is told."""

import json

import numpy as np

from bench import mnist_area, scale
from dbhw.logic.network import Network
from dbhw.prove.equivalence import network_is_verilog


def test_growth_above_linear_is_told():
    rows = [{"nodes": n, "seconds": s, "gigabytes": 0.1} for n, s in ((1000, 1.0), (10000, 13.0))]
    assert [row["reached"] for row in scale.judged(rows, [1000, 10000])] == [True, False]
    rows = [{"nodes": 100_000, "seconds": 31.0, "gigabytes": 0.1}]
    assert not scale.judged(rows, [100_000])[0]["reached"]


def test_the_bench_of_scale_measures(capsys):
    assert scale.main(["--json", "--nodes", "5000"]) == 0
    row = json.loads(capsys.readouterr().out)["rows"][0]
    assert row["nodes"] >= row["nodes_optimised"] > 4000
    assert min(row["seconds"], row["gigabytes"], row["verilog_megabytes"]) > 0


def test_plain_verilog_is_the_score():
    network, plain = mnist_area.score(np.random.default_rng(3).random((2, 9)) < 0.5)
    assert network_is_verilog(network, plain).proved
    assert not network_is_verilog(network, plain.replace("i = 0;", "i = 1;")).proved


def test_each_layer_is_proved():
    network = Network()
    x = [network.input(f"x{i}") for i in range(9)]
    network.begin_layer("majority")
    most = [network.at_least([(b, 1) for b in x[i : i + 5]], 3) for i in range(4)]
    network.begin_layer("parity")
    network.output("y", [network.xor(most)])
    area, steps = mnist_area.whole(network, "ice40")
    assert area.luts > 0
    names = ["network = simplified network", *["majority"] * 2, *["parity"] * 2]
    assert [step.name.split(":")[0] for step in steps] == names
    assert all(step.proved for step in steps)


def test_a_pass_that_changes_the_network_is_refused(monkeypatch):
    network, wrong = Network(), Network()
    for made, k in ((network, 3), (wrong, 2)):
        x = [made.input(f"x{i}") for i in range(5)]
        made.begin_layer("majority")
        made.output("y", [made.at_least([(b, 1) for b in x], k)])
    monkeypatch.setattr(mnist_area.passes, "simplify", lambda _: wrong)
    _, steps = mnist_area.whole(network, "ice40")
    assert [step.proved for step in steps] == [False, True, True]
