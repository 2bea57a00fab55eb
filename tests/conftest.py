"""Options of the test run."""


def pytest_addoption(parser):
    parser.addoption(
        "--bitstreams", action="store_true", help="also place and route a bitstream of each family, which takes minutes"
    )
