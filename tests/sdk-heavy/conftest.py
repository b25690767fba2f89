from fixtures import *  # noqa: F401, F403


def pytest_configure(config):
    config.addinivalue_line("markers", "last: waits for something that other tests give time to happen")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)
