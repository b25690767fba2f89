import stat
import textwrap

import pytest
from stack import Stack


@pytest.fixture
def stack(tmp_path):
    one = Stack(str(tmp_path))
    yield one
    one.end()


@pytest.fixture
def program(tmp_path):
    """Writes a program that stands for one that cannot be had here."""

    def write(name, text):
        path = tmp_path / name
        path.write_text("#!/usr/bin/env python3\n" + textwrap.dedent(text))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    return write
