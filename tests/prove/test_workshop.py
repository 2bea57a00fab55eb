"""The folder of a proof: files that ABC cannot read are never taken for others."""

import pytest

from dbhw.prove.workshop import Workshop

INVERTER = ".model m\n.inputs x\n.outputs y\n.names x y\n0 1\n.end\n"


@pytest.mark.parametrize("damaged", [INVERTER.replace("0 1", "rubbish"), INVERTER.replace("0 1", "0 1 1 0")])
def test_a_file_that_cannot_be_read_is_not_the_one_before_it(damaged):
    """Both files are read in one process, and a graph of an earlier comparison is in the folder."""
    with Workshop() as shop:
        for name, text in (("a", INVERTER), ("b", INVERTER)):
            (shop.folder / name).write_text(text)
        assert shop.equivalent("a", "b")
        (shop.folder / "b").write_text(damaged)
        with pytest.raises(OSError, match="No such file"):
            shop.equivalent("a", "b")
