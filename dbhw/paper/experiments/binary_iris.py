"""Binary Iris: 1,000 seeds, each with a split of its own into 120 flowers for training and 30 for testing.

Every five of them test each flower once. The standard error ignores that, so it is too large.
"""

from dbhw.data.sets import binary_iris
from dbhw.paper.experiments import Experiment

EXPERIMENT = Experiment(
    recipes=("binary-iris", "binary-iris-votes"),
    seeds=1000,
    at_once=50,
    data=binary_iris.load,
    baselines=100,
    published=(
        ("Tsetlin machine", "95.0 ± 0.2", "86.7", "100.0", "80.0", "100.0"),
        ("∂B net", "93.9 ± 0.1", "86.7", "100.0", "80.0", "100.0"),
        ("neural network", "93.8 ± 0.2", "86.7", "100.0", "80.0", "100.0"),
        ("SVM", "93.6 ± 0.3", "86.7", "100.0", "76.7", "100.0"),
        ("naive Bayes", "91.6 ± 0.3", "83.3", "96.7", "70.0", "100.0"),
    ),
)
