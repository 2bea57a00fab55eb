"""The bench of inference: what it measures is real, and a missed goal is told."""

import numpy as np

from bench import inference
from bench.inference import Row, judged
from dbhw import zoo
from dbhw.data.sets import mnist_grey


def test_missed_goals_are_told():
    good = [Row("a", "c", "packed bits", 25e6, 0.2, ready=5.0), Row("a", "c", "bytes", 6e6, 0.4, ready=5.0)]
    assert judged(good, [{"ns_per_image_and_node": 0.1}, {"ns_per_image_and_node": 0.15}]) == []
    slow = [Row("a", "c", "packed bits", 19e6, 0.2, ready=11.0), Row("a", "c", "bytes", 4e6, 0.4, ready=11.0)]
    assert judged(slow, [{"ns_per_image_and_node": 0.1}, {"ns_per_image_and_node": 0.4}]) == [
        "20 million images a second from packed bits, not 19.0",
        "5 million images a second from bytes, not 4.0",
        "ready within 10 s, not 11.0",
        "time per image and node within 2, not 4.0",
    ]


def test_the_net_of_bright_pixels_is_the_net_of_the_zoo():
    grey, images = zoo.load("mnist-small"), mnist_grey.load().test.x[:500]
    bits = inference.bright_images().test.x[:500]
    assert (inference.bright(grey).scores(bits) == grey.scores(images)).all()


def test_the_limit_of_memory_is_one(monkeypatch):
    """A run that needs memory for all its images fails under the same limit."""
    predict = inference.Model.predict
    held = []

    def greedy(self, x, **options):
        held.append(np.ones(1 << 27))  # 1 GB: what earlier tests leave behind may be freed meanwhile
        return predict(self, x, **options)

    assert inference.mapped(0.002)["images"] == 20408
    monkeypatch.setattr(inference.Model, "predict", greedy)
    try:
        inference.mapped(0.002)
    except MemoryError:
        pass
    else:
        raise AssertionError("a run that takes more memory than the limit must fail")
