"""Makes the zoo of trained models: trains each by its recipe, freezes it, measures it, writes its file and its figures.

    python -m bench.zoo [--only iris-small,iris-medium] [--measure] [--place ice40] [--quick] [--json]

All files are in dbhw/zoo. With --measure the files stay and only their figures are made anew, as after a change of the
emitter, or for a file that was trained elsewhere and copied there. With --place the clock that a core reaches is
measured too, on the families named. With --quick one small model is made in a temporary folder. The same machine makes
the same files again; another may round otherwise.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dbhw import recipes, zoo
from dbhw.base import files, records, terminal
from dbhw.base.errors import DbhwError, one_of
from dbhw.data import scikit
from dbhw.data.dataset import Data
from dbhw.fpga import families
from dbhw.fpga.place import place
from dbhw.model.freeze import freeze
from dbhw.model.model import Model, load
from dbhw.report.area import of_model
from dbhw.rtl.verilog.emit import emit
from dbhw.tabular.train import Plan, train_table
from dbhw.train.policy import Watch, fit_recipe

MOST_BYTES = 100 * 1024
_QUICK = "iris-small"


@dataclass(frozen=True)
class OfTable:
    """The net for a table of scikit-learn, by its size; `data` is the name of the data set."""

    data: str
    budget: str
    seed: int = 0

    @property
    def made_by(self) -> str:
        return f"budget {self.budget}"

    def train(self, label: str) -> Model:
        del label  # the trainer of tables has its own
        plan = Plan(budget=self.budget, seed=self.seed)
        return train_table(scikit.prepared(self.data.replace("-", "_")), plan).model

    def test(self) -> Data:
        return scikit.prepared(self.data.replace("-", "_")).test


@dataclass(frozen=True)
class OfRecipe:
    """A recipe of `dbhw/recipes`; `data` is the name of its data set."""

    recipe: str
    data: str
    seed: int = 0

    @property
    def made_by(self) -> str:
        return f"recipe {self.recipe}"

    def train(self, label: str) -> Model:
        return freeze(fit_recipe(recipes.find(self.recipe, self.seed), Watch(label)))

    def test(self) -> Data:
        return recipes.find(self.recipe, self.seed).data.test


ENTRIES: dict[str, OfTable | OfRecipe] = {
    "iris-small": OfTable("iris", "small"),
    "iris-medium": OfTable("iris", "medium"),
    "wine-small": OfTable("wine", "small"),
    "wine-medium": OfTable("wine", "medium"),
    "wine-large": OfTable("wine", "large"),
    "breast-cancer-small": OfTable("breast-cancer", "small"),
    "breast-cancer-medium": OfTable("breast-cancer", "medium"),
    "breast-cancer-large": OfTable("breast-cancer", "large"),
    "digits-small": OfTable("digits", "small"),
    "digits-medium": OfTable("digits", "medium"),
    "digits-large": OfTable("digits", "large"),
    "mnist-small": OfRecipe("mnist-small", "mnist-grey"),
    "mnist-medium": OfRecipe("mnist-medium", "mnist-grey"),
    "mnist-large": OfRecipe("mnist-large", "mnist-grey"),
    "fashion-small": OfRecipe("fashion-small", "fashion-mnist-grey"),
    "fashion-medium": OfRecipe("fashion-medium", "fashion-mnist-grey"),
}


def made(name: str) -> bytes:
    """The file of a model, trained now."""
    raw = ENTRIES[name].train(f"training {name}").to_bytes()
    if len(raw) > MOST_BYTES:
        raise DbhwError(f"file of {name} must have at most {MOST_BYTES} bytes, not {len(raw)}")
    return raw


def measured(name: str, raw: bytes, placed: Iterable[str], before: zoo.Entry | None = None) -> zoo.Entry:
    """The figures of a model's file; a clock that is not measured now is kept of the same file's figures before."""
    entry, model = ENTRIES[name], _read(raw)
    test = entry.test()
    accuracy = float((model.predict(test.x) == test.y).mean())
    known = before.sizes if before is not None and before.sha256 == files.sha256(raw) else {}
    sizes = {}
    for target in families.names():
        area = of_model(model, target)
        same = target in known and known[target].luts == area.luts
        kept = known[target].fmax_mhz if same else None
        sizes[target] = zoo.Size(area.luts, area.depth, _clock(model, target) if target in placed else kept)
    made_by = (entry.data, entry.made_by, entry.seed)
    return zoo.Entry(*made_by, len(test.y), accuracy, sizes, len(raw), files.sha256(raw))


def _read(raw: bytes) -> Model:
    with tempfile.TemporaryDirectory() as folder:
        files.write(Path(folder) / "a.dbnet", raw)
        return load(Path(folder) / "a.dbnet")


def _clock(model: Model, target: str) -> float:
    emitted = emit(model, lut_inputs=families.find(target).lut_inputs)
    return round(place(emitted.verilog, emitted.module, target).fmax_mhz, 1)


def write_figures(folder: Path, new: dict[str, zoo.Entry]) -> None:
    """Puts figures beside those of the other models of the folder; what is no longer an entry is left out."""
    known = {**_known(folder), **new}
    ordered = {name: known[name] for name in ENTRIES if name in known}
    text = json.dumps(records.to_json(zoo.Figures(ordered)), indent=1)
    files.write(folder / zoo.FIGURES, f"{text}\n")


def _known(folder: Path) -> dict[str, zoo.Entry]:
    return zoo.entries(folder) if (folder / zoo.FIGURES).exists() else {}


def make(names: Iterable[str], folder: Path, train: bool, placed: Iterable[str]) -> dict[str, zoo.Entry]:
    """Makes these models in a folder, or only measures them, and writes their figures, one after the other."""
    found = {}
    for name in names:
        path = folder / f"{name}.dbnet"
        raw = made(name) if train else files.read(path)
        found[name] = measured(name, raw, placed, _known(folder).get(name))
        files.write(path, raw)
        write_figures(folder, {name: found[name]})
    return found


def _shown(found: dict[str, zoo.Entry]) -> str:
    rows = [
        (name, f"{e.test_accuracy:.2%}", str(e.bytes), *(f"{s.luts}, {s.depth} deep" for s in e.sizes.values()))
        for name, e in found.items()
    ]
    return terminal.table([("model", "accuracy", "bytes", *families.names()), *rows])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="these models: a,b")
    parser.add_argument("--measure", action="store_true", help="keep the files, and measure them anew")
    parser.add_argument("--place", default="", help="measure the clock on these families too: ice40,ecp5")
    parser.add_argument("--quick", action="store_true", help=f"make {_QUICK} in a temporary folder")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    names = options.only.split(",") if options.only else [_QUICK] if options.quick else list(ENTRIES)
    for name in names:
        if name not in ENTRIES:
            raise one_of("model of the zoo", name, ENTRIES)
    placed = [target for target in options.place.split(",") if target]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) if options.quick else zoo.FOLDER
        found = make(names, folder, not options.measure, placed)
    listed = {name: records.to_json(entry) for name, entry in found.items()}
    print(json.dumps({"models": listed}) if options.json else _shown(found))
    return 0


if __name__ == "__main__":
    main()
