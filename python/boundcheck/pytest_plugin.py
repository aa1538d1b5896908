"""The pytest plugin: the option --boundcheck-update, and the folder in which references are searched."""

import os

import pytest

from boundcheck import testing


def pytest_addoption(parser):
    group = parser.getgroup("boundcheck")
    group.addoption("--boundcheck-update", action="store_true", help="update the references of assert_within from the runs of the tests that pass")


def pytest_configure(config):
    testing._state.update(update=config.getoption("--boundcheck-update"), runs=[])


def pytest_runtest_setup(item):
    testing._state.update(folder=os.path.dirname(str(item.path)), test=item.nodeid)


def pytest_runtest_teardown(item):
    testing._state.update(folder=None, test=None)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Only the runs of tests that passed are used: not of one that failed or was skipped, or that was expected to fail."""
    report = (yield).get_result()
    if not report.passed or hasattr(report, "wasxfail"):
        testing._state["runs"] = [r for r in testing._state["runs"] if r["test"] != item.nodeid]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    """Under pytest-xdist, the runs of a worker that has ended."""
    testing._state["runs"] += getattr(node, "workeroutput", {}).get("boundcheck", [])


def pytest_sessionfinish(session):
    """Workers of pytest-xdist send their runs to the controller, which alone writes files."""
    config = session.config
    if not testing._state["update"]:
        return
    if hasattr(config, "workeroutput"):
        config.workeroutput["boundcheck"] = testing._state["runs"]
        return
    config._boundcheck_lines, agree = testing.update_references(testing._state["runs"])
    if not agree and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    for line in getattr(config, "_boundcheck_lines", []):
        terminalreporter.write_line(f"boundcheck: {line}")
