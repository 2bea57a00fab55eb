"""The C export compiles without a warning, for small and large words, and answers as the net; a wrong one is told."""

import re
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dbhw.data.tables.column import Column, pins
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.layers.parity import Parity
from dbhw.nn.layers.wires import Wires
from dbhw.nn.net import Net
from dbhw.software.packed import Packed
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.nets import NETS

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
SANITISED = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def runs(compiler, *options):
    """Whether programs for a target can be compiled, with the sanitisers, and run here."""
    if shutil.which(compiler) is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.c").write_text("#include <stdio.h>\nint main(void) { return 0; }\n")
        command = [compiler, *options, *SANITISED, "a.c", "-o", "a"]
        made = subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0
        return made and subprocess.run(["./a"], cwd=folder, check=False).returncode == 0


COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
# Each compiler for 64 and for 32 bits, as far as the libraries for it are installed (gcc-multilib in Debian).
TARGETS = [target for name in COMPILERS for target in ((name,), (name, "-m32")) if runs(*target)]
EVERY = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(bool)
# A program that reads rows from its standard input and prints a line of fields for each.
DRIVER = """
#include <stdio.h>
#include "src/net.h"
int main(void) {
    uint8_t rows[256][NET_ROW_BYTES];
    uint16_t classes[256];
    int32_t fields[NET_FIELDS];
    size_t many = fread(rows, NET_ROW_BYTES, 256, stdin), e, f;
    net_predict_many(rows[0], many, classes);
    for (e = 0; e < many; e++) {
        printf("%u %u", (unsigned)classes[e], net_predict(rows[e]));
        net_fields(rows[e], fields);
        for (f = 0; f < NET_FIELDS; f++) printf(" %ld", (long)fields[f]);
        printf("\\n");
    }
    return 0;
}
"""


def tables():
    """Tables of six inputs, some of them read twice."""
    random = np.random.default_rng(3)
    wires = Wires(tuple(random.integers(0, 30, 240).tolist()))
    return samples.random_model(Net(30, [wires, Lookup(fan_in=6), BucketSum(buckets=5)]), random)


def numbers():
    """A model of two integers, with names that C cannot take as they are."""
    columns = (Column('a "*/??/', "integer", 5, signed=True), Column("größe", "real", 9, scale=0.5, offset=-3))
    encoders = (Thermometer(5, True, (-3, 4)), Thermometer(9, False, (3, 100, 200)))
    net = Net(14, [Encode(encoders), Parity(width=6), BucketSum(buckets=3)])
    model = samples.random_model(net, np.random.default_rng(0))
    return replace(model, features=pins(columns), columns=columns, classes=('x"', "\\", "ö??)"))


MODELS = {
    **{f"net{i}": samples.random_model(net, np.random.default_rng(i)) for i, net in enumerate(NETS)},
    "tables": tables(),
    "numbers": numbers(),
}


def exported(capsys, model, folder, *options):
    model.save(folder / "a.dbnet")
    code, _, err = run(capsys, "export", folder / "a.dbnet", "--format", "c", "--folder", folder / "lib", *options)
    assert (code, err) == (0, "")
    return folder / "lib"


def compiled(folder, target, *options, main="extras/main.c"):
    sources = [str(path) for path in sorted((folder / "src").glob("*.c"))]
    subprocess.run([*target, *STRICT, *options, *sources, main, "-o", "program"], cwd=folder, check=True)
    return folder / "program"


def test_there_is_a_compiler():
    """The tests below run for every target there is: with none they would pass without a word."""
    assert TARGETS
    assert COMPILERS


@pytest.mark.parametrize("target", TARGETS, ids=" ".join)
@pytest.mark.parametrize("name", MODELS)
def test_the_c_answers_as_the_net_does(capsys, tmp_path, name, target):
    """On every input, or on 256 of them, under the sanitisers; the words of 8 to 64 bits take turns."""
    model = MODELS[name]
    x = EVERY if model.net.inputs == 8 else np.random.default_rng(1).random((256, model.net.inputs)) < 0.5
    folder = exported(capsys, model, tmp_path)
    word = [8, 16, 32, 64][list(MODELS).index(name) % 4]
    (folder / "driver.c").write_text(DRIVER)
    program = compiled(folder, target, f"-DNET_WORD=uint{word}_t", *SANITISED, main="driver.c")
    rows = Packed.of(x).rows.tobytes()
    printed = subprocess.run([program], input=rows, capture_output=True, check=True).stdout.split()
    found = np.array(printed, int).reshape(256, -1)
    expected = model.answers(x, engine="numpy")
    assert (found[:, :3] == expected.labels[:, None]).all()
    assert (found[:, 3:] == expected.outputs).all()


def test_the_words_on_the_stack_are_those_of_the_arrays(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("dbhw.logic.formats.c._PART", 50)  # operations in a function, so that there are several
    folder = exported(capsys, MODELS["tables"], tmp_path)
    header, text = ((folder / "src" / name).read_text() for name in ("net.h", "net.c"))
    inputs, planes = (int(re.search(rf"#define NET_{name} (\d+)", header)[1]) for name in ("INPUTS", "PLANES"))
    passed_on = int(re.search(r"net_word t\[(\d+)\];", text)[1])
    assert passed_on > 10
    assert "net_word in[NET_INPUTS], planes[NET_PLANES + 1];" in text
    assert f"stack {inputs + planes + 1 + passed_on} words," in header


@pytest.mark.parametrize("target", TARGETS, ids=" ".join)
def test_the_self_test_passes_and_a_changed_net_fails_it(capsys, tmp_path, target):
    folder = exported(capsys, MODELS["tables"], tmp_path)
    program = compiled(folder, target, *SANITISED)
    assert subprocess.run([program], capture_output=True, text=True, check=True).stdout == "0 wrong\n"
    text = (folder / "src/net.c").read_text()
    (folder / "src/net.c").write_text(text.replace(" & ", " | ", 1))
    changed = subprocess.run([compiled(folder, target, "-O1")], capture_output=True, text=True, check=False)
    assert changed.returncode == 1
    assert changed.stdout != "0 wrong\n"


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("options", [["-m32"], ["-DNET_VECTOR=32"], ["-DNET_WORD=uint8_t"]])
def test_the_net_is_freestanding(capsys, tmp_path, compiler, options):
    """It compiles without a C library, for 32 bits too, and needs none but for setting and copying memory."""
    folder = exported(capsys, MODELS["tables"], tmp_path, "--name", "digits")
    text = [option.replace("NET_", "DIGITS_") for option in options]
    command = [compiler, *STRICT, *text, "-Os", "-ffreestanding", "-c", "src/digits.c", "-o", "digits.o"]
    if "NET_VECTOR=32" in options[0]:
        command.remove("-pedantic")  # a vector is an extension
    subprocess.run(command, cwd=folder, check=True)
    undefined = subprocess.run(["nm", "-u", "digits.o"], cwd=folder, capture_output=True, text=True, check=True).stdout
    wanted = {line.split()[-1] for line in undefined.splitlines()}
    assert wanted <= {"memset", "memcpy", "__stack_chk_fail", "_GLOBAL_OFFSET_TABLE_"}


def test_names_and_numbers_are_those_of_the_model(capsys, tmp_path):
    folder = exported(capsys, MODELS["numbers"], tmp_path)
    (folder / "names.c").write_text(
        '#include <stdio.h>\n#include "src/net.h"\nint main(void) {\n'
        "    const int32_t numbers[NET_COLUMNS] = {-7, 300};\n    uint8_t row[NET_ROW_BYTES];\n    size_t i;\n"
        "    for (i = 0; i < NET_CLASSES; i++) puts(net_classes[i]);\n"
        "    for (i = 0; i < NET_INPUTS; i++) puts(net_features[i]);\n"
        '    net_pack(numbers, row);\n    printf("%u\\n", net_predict(row));\n    return 0;\n}\n'
    )
    program = compiled(folder, TARGETS[0], "-O0", main="names.c")
    lines = subprocess.run([program], capture_output=True, check=True).stdout.decode().splitlines()
    model = MODELS["numbers"]
    assert lines[:-1] == [*model.classes, *model.features]
    assert int(lines[-1]) == model.predict(np.array([[-7, 147.0]]))[0]  # 300 steps of a half above -3
    assert "9 bits, floor((x - (-3)) / 0.5 + 0.5), kept in range" in (folder / "src/net.h").read_text()


def test_the_folder_is_a_library(capsys, tmp_path):
    folder = exported(capsys, MODELS["net0"], tmp_path, "--name", "coat")
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert names == {
        *("src/coat.h", "src/coat.c", "src/coat_names.c", "src/coat_self_test.c", "extras/main.c"),
        *("examples/self_test/self_test.ino", "library.properties", "library.json"),
    }


def test_errors_are_one_line(capsys, tmp_path):
    MODELS["net0"].save(tmp_path / "a.dbnet")
    wrong = {
        ("--folder", "x"): "export --folder must have --format c and no --output",
        ("--format", "c", "--folder", "x", "-o", "y"): "export --folder must have --format c and no --output",
        ("--format", "c", "--folder", "/dev/null/x"): "/dev/null/x must be a place that can be written: ",
        ("--format", "c", "--folder", tmp_path / "x", "--name", "2nd"): "name must be an identifier in C, not '2nd'",
    }
    for options, message in wrong.items():
        code, out, err = run(capsys, "export", tmp_path / "a.dbnet", *options)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"dbhw: {message}")
    assert not (tmp_path / "x").exists()
