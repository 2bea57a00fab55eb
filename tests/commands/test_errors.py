"""Wrong inputs on the command line: exit code 2, and one line that says what must be and what was found."""

import sys

import pytest

from dbhw.model.file import FORMAT_VERSION
from tests.kit.command_line import run
from tests.kit.model_files import rewritten, set_version


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["eval", "no.dbnet", "--data", "noisy-xor"], "file no.dbnet must be readable: No such file or directory"),
        (["train", "no-recipe", "-o", "a"], "data must be one of a file with a table, {recipes}, not 'no-recipe'"),
        (["synth", "MODEL", "--target", "cpld"], "target must be one of ecp5, gowin, ice40, xilinx, not 'cpld'"),
        (["prove", "MODEL", "--seconds", "0"], "seconds must be more than 0, not 0.0"),
        (["prove", "MODEL", "--target", "cpld"], "target must be one of ecp5, gowin, ice40, xilinx, not 'cpld'"),
        (
            ["emit", "MODEL", "-o", "FOLDER/a", "--weights", "fused"],
            "weights must be one of baked, loadable, not 'fused'",
        ),
        (["load", "MODEL", "--port", "/no/such/port", "--baud", "0"], "baud must be at least 1, not 0"),
        (["sim", "MODEL", "--simulator", "modelsim"], "simulator must be one of icarus, verilator, not 'modelsim'"),
        (["sim", "MODEL", "--vectors", "many"], "vectors must be a number from 1 to 16777216, or all, not 'many'"),
        (
            ["emit", "MODEL", "-o", "FOLDER/out", "--pipeline", "levels=0"],
            "pipeline must be comb, stages=N or levels=N with N from 1 to 999, not 'levels=0'",
        ),
        (["synth", "MODEL", "--place"], "target to place on must be one of ecp5, gowin, ice40, not 'xilinx'"),
        (["eval", "MODEL", "--data", "noisy-xor"], "data noisy-xor must have 8 features for this net, not 12"),
        (
            ["eval", "MODEL", "--data", "data.xls"],
            "data must be one of {data}, a file ending in .csv, .tsv, .txt, .data, .npz, .parquet, .pq, not 'data.xls'",
        ),
        (
            ["emit", "MODEL", "-o", "/dev/null/out"],
            "/dev/null/out must be a place that can be written: Not a directory",
        ),
        (
            ["train", "noisy-xor", "-o", "/no/such/folder/a.dbnet"],
            "/no/such/folder/a.dbnet must be a place that can be written: /no/such/folder is not a folder",
        ),
        (["train", "noisy-xor", "-o", "FOLDER/a", "--seed", "-1"], "seed must be a whole number of at least 0, not -1"),
        (["train", "toy-1", "-o", "FOLDER/a", "--seed", f"{10**20}"], f"seed must be below {2**30}, not {10**20}"),
        (["train", "toy-1", "-o", "FOLDER/a", "--seed", "one"], "argument --seed: invalid int value: 'one'"),
        (
            ["train", "toy-1", "-o", "FOLDER/a", "--process", "1"],
            "process and processes must come with --coordinator, the address of the first of them",
        ),
        (["explain", "noisy_xor"], "model must be one of a model file, {recipes}, not 'noisy_xor'"),
        (
            ["verify", "MODEL", "--implies", "x0 -> x1", "--row", "5"],
            "verify --implies must have no --data, --row or --input: a rule is checked on every input",
        ),
        (["emit", "MODEL"], "the following arguments are required: -o/--output"),
    ],
)
def test_one_line_errors(capsys, model_file, tmp_path, arguments, message):
    from dbhw import recipes
    from dbhw.data import sets

    arguments = [a.replace("MODEL", str(model_file)).replace("FOLDER", str(tmp_path)) for a in arguments]
    code, out, err = run(capsys, *arguments)
    filled = message.format(recipes=", ".join(recipes.names()), data=", ".join(sets.names()))
    assert (code, out, err) == (2, "", f"dbhw: {filled}\n")


def test_damaged_models(capsys, model_file, tmp_path):
    whole = model_file.read_bytes()
    damaged = tmp_path / "damaged.dbnet"
    cut = f"dbhw: model file {damaged} must be a whole safetensors file, but it is damaged or cut short\n"
    damaged.write_bytes(whole[:-3])
    assert run(capsys, "emit", damaged, "-o", tmp_path / "out") == (2, "", cut)
    damaged.write_bytes(whole[:40])
    assert run(capsys, "emit", damaged, "-o", tmp_path / "out") == (2, "", cut)
    damaged.write_text("weight,kind\n1.5,red\n")
    other = f"dbhw: model file {damaged} must be a dbhw model, but it is not one; dbhw train makes one\n"
    assert run(capsys, "emit", damaged, "-o", tmp_path / "out") == (2, "", other)
    flipped = bytearray(whole)
    flipped[-1] ^= 1
    damaged.write_bytes(flipped)
    code, _, err = run(capsys, "emit", damaged, "-o", tmp_path / "out")
    message = f"dbhw: model file {damaged} must match its digest, but it does not: the file is damaged\n"
    assert (code, err) == (2, message)
    damaged.write_bytes(whole)
    rewritten(damaged, set_version)
    code, _, err = run(capsys, "emit", damaged, "-o", tmp_path / "out")
    newer = f"dbhw: model file {damaged} must be of format {FORMAT_VERSION} or older, not 99: update dbhw\n"
    assert (code, err) == (2, newer)
    assert not (tmp_path / "out").exists()


def test_a_missing_compiler_is_told(capsys, model_file, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    code, out, err = run(capsys, "sim", model_file)
    message = "dbhw: simulator verilator must have a C++ compiler installed, but c++ is not found\n"
    assert (code, out, err) == (2, "", message)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))  # Icarus may be beside Python
    code, out, err = run(capsys, "sim", model_file, "--simulator", "icarus")
    message = "dbhw: simulator icarus must have iverilog installed, but it is not found; verilator needs nothing\n"
    assert (code, out, err) == (2, "", message)
