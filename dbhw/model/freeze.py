"""Freezing a trained model: the same hard net, without what only training needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dbhw.model.model import Model
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layer import Layer
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.wires import Wires
from dbhw.nn.net import Net


def freeze(model: Model) -> Model:
    """The model with its wiring fixed, its margins at their ends, and without thresholds that nothing reads.

    Its file is small, and its loadable hardware has no multiplexers. It answers as before on every input.

    >>> soft = np.array([[0.1, 0.3, 0.2]], np.float32)
    >>> model = Model(Net(3, [Connect(width=1)]), (soft,), ("a", "b", "c"), ("no", "yes"))
    >>> freeze(model).net.layers
    (Wires(places=(1,)),)
    """
    layers: list[Layer] = []
    soft: list[np.ndarray | None] = []
    for layer, bits in zip(model.net.layers, model.weights, strict=True):
        if layer.random:  # it does nothing outside training
            continue
        if isinstance(layer, Connect) and bits is not None:
            layer, bits = layer.fixed(bits), None
        if isinstance(layer, Wires) and layers and isinstance(layers[-1], Wires):
            layers[-1] = Wires(tuple(layers[-1].places[place] for place in layer.places))
            continue
        layers.append(layer)
        soft.append(None if bits is None else np.where(bits, 0.5, -0.5).astype(np.float32))
    return replace(model, net=Net(model.net.inputs, _without_unread(layers)), soft_weights=tuple(soft))


def _without_unread(layers: Sequence[Layer]) -> Sequence[Layer]:
    """The layers without the thresholds of an encoder that the wires behind it do not read."""
    if len(layers) < 2 or not isinstance(layers[0], Encode) or not isinstance(layers[1], Wires):
        return layers
    read, kept, new_encoders, first = set(layers[1].places), [], [], 0
    for encoder in layers[0].encoders:
        own = range(first, first + len(encoder.conditions()))
        first = own.stop
        if isinstance(encoder, Thermometer):
            own_read = [place for place in own if place in read]
            encoder = replace(encoder, thresholds=tuple(encoder.thresholds[place - own.start] for place in own_read))
            kept += own_read
        else:
            kept += own
        new_encoders.append(encoder)
    moved = {place: i for i, place in enumerate(kept)}
    wires = Wires(tuple(moved[place] for place in layers[1].places))
    return [Encode(tuple(new_encoders)), wires, *layers[2:]]
