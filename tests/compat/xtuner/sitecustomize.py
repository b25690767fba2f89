"""The tests of main run programs of their own: these get the same stand-ins, when Python starts."""

import plugin  # noqa: F401
