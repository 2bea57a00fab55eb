"""Noisy XOR: 100 seeds on the published files."""

from dbhw.data.sets import noisy_xor_files
from dbhw.paper.experiments import Experiment

EXPERIMENT = Experiment(
    recipes=("noisy-xor", "noisy-xor-sparse"),
    seeds=100,
    at_once=10,
    data=lambda _: noisy_xor_files.load(),
    baselines=10,
    published=(
        ("Tsetlin machine", "99.3 ± 0.3", "95.9", "100.0", "91.6", "100.0"),
        ("∂B net", "97.9 ± 0.2", "95.4", "100.0", "93.6", "100.0"),
        ("neural network", "95.4 ± 0.5", "90.1", "98.6", "88.2", "99.9"),
        ("SVM", "58.0 ± 0.3", "56.4", "59.2", "55.4", "66.5"),
        ("naive Bayes", "49.8 ± 0.2", "48.3", "51.0", "41.3", "52.7"),
        ("logistic regression", "49.8 ± 0.3", "47.8", "51.1", "41.1", "53.1"),
    ),
)
