"""Plug-ins: built in, or offered by another package; a clash or a broken one is an error of one line."""

import pytest

from dbhw.base.errors import DbhwError
from dbhw.base.registry import Plugins
from dbhw.data import sets
from dbhw.nn import layers

SETS = Plugins("data set", "dbhw.data.sets", dashes=True)


@pytest.fixture
def offer(tmp_path, monkeypatch):
    """Installs a package that offers one plug-in: its module's text, under a name in a group."""

    def install(package, module, text, name=None, group="dbhw.sets"):
        site = tmp_path / package
        information = site / f"{package}-1.0.dist-info"
        information.mkdir(parents=True)
        (site / package).mkdir()
        (site / package / "__init__.py").touch()
        (site / package / f"{module}.py").write_text(text)
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (information / "entry_points.txt").write_text(f"[{group}]\n{name or module} = {package}.{module}\n")
        monkeypatch.syspath_prepend(site)

    return install


@pytest.mark.parametrize("name", ["two_rules", "two-rules"])
def test_a_plug_in_of_another_package_is_found(offer, name):
    offer("found_" + name.replace("-", "x"), "two_rules", '"""Two rules.\n\nMore."""\nload = len\n', name)
    assert "two-rules" in sets.names()
    assert "toy-2" in sets.names()
    assert sets.find("two-rules") is len
    assert SETS.summary("two-rules") == "Two rules."


def test_a_wrong_name_lists_the_plug_ins_of_other_packages_too(offer):
    offer("listed", "zebra", "load = len")
    with pytest.raises(DbhwError, match=r"^data set must be one of binary-iris, .*, toy-2, .*zebra, not 'zebras'$"):
        SETS.module("zebras")


def test_a_plug_in_that_cannot_be_imported_is_an_error_of_one_line(offer):
    offer("broken", "cracked", "raise ValueError('first\\nsecond')")
    assert "cracked" in SETS.names()
    with pytest.raises(
        DbhwError, match=r"^data set cracked must be importable, but broken.cracked fails: first second$"
    ):
        SETS.module("cracked")


def test_a_plug_in_that_lacks_what_its_kind_needs_is_an_error(offer):
    offer("lacking", "hollow", "")
    with pytest.raises(DbhwError, match=r"^data set hollow must define load, but lacking.hollow does not$"):
        sets.find("hollow")


def test_a_plug_in_must_not_hide_a_built_in_one(offer):
    offer("hiding", "toy_1", "load = len")
    for use in (SETS.names, lambda: SETS.module("toy-1")):
        with pytest.raises(
            DbhwError,
            match=r"^data set toy-1 must be offered once, not by both dbhw.data.sets.toy_1 and hiding.toy_1$",
        ):
            use()


def test_two_packages_must_not_offer_the_same_name(offer):
    offer("first", "same", "load = len")
    offer("second", "same", "load = len")
    with pytest.raises(
        DbhwError,
        match=r"^data set same must be offered once, not by both (first|second).same and (first|second).same$",
    ):
        SETS.names()


def test_a_layer_of_another_package_is_stored_under_its_files_name(offer):
    text = "from dbhw.nn.layers.harden import Harden\nclass Double(Harden): pass\n"
    offer("doubling", "double", text, group="dbhw.layers")
    assert layers.from_json(layers.find("double")().to_json()).name() == "double"


def test_a_layer_must_be_named_like_its_module(offer):
    text = "from dbhw.nn.layers.harden import Harden\nclass Twice(Harden): pass\n"
    offer("renaming", "other", text, name="twice", group="dbhw.layers")
    with pytest.raises(DbhwError, match=r"^layer twice must be in a module of that name, not in renaming.other$"):
        layers.find("twice")
