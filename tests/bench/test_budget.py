"""The bench of `--max-luts`: which net by hand it is compared with, and when it says that the goal is missed."""

from bench.budget import Net, best_of, reached


def test_nets_over_the_budget_do_not_count():
    assert best_of([Net("a", 0.9, 400), Net("b", 0.95, 401), Net("c", 0.8, 10)], 400).how == "a"


def test_the_goal_is_half_a_point_within_the_budget():
    best = Net("by hand", 0.95, 390)
    assert reached(Net("own", 0.946, 400), best, 400)
    assert not reached(Net("own", 0.944, 400), best, 400)
    assert not reached(Net("own", 0.99, 401), best, 400)
