"""The original's `start_trace_viewer`, which XTuner's trainer imports by itself while it sets up.

It would take the port of Rollscope's page and show a folder without files, so the trainer gets Rollscope's function in its place.
XTuner is not imported for that: if its module is not there yet, the function is exchanged when somebody imports it.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Callable, Optional, Sequence

from ... import _values
from .._recording import say_once

_MODULE = "xtuner.tools.producer_trace_viewer"
_FUNCTION = "start_trace_viewer"


class _Exchange:
    """Also a finder on `sys.meta_path`: one that finds what the others do, and looks at the module once it has been loaded."""

    def __init__(self, ours: Callable[..., Any]) -> None:
        self._ours = ours
        self._theirs: Any = None

    def begin(self) -> None:
        module = sys.modules.get(_MODULE)
        if module is None:
            sys.meta_path.insert(0, self)
        else:
            self._exchange(module)

    def end(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        module = sys.modules.get(_MODULE)
        if module is not None and getattr(module, _FUNCTION, None) is self._ours:
            setattr(module, _FUNCTION, self._theirs)

    def find_spec(self, name: str, path: Optional[Sequence[str]], target: Optional[ModuleType] = None) -> Optional[ModuleSpec]:
        if name != _MODULE:
            return None
        found = (finder.find_spec(name, path, target) for finder in list(sys.meta_path) if finder is not self)
        spec: Optional[ModuleSpec] = next((each for each in found if each is not None), None)
        loader: Any = None if spec is None else spec.loader
        if hasattr(loader, "exec_module"):
            execute = loader.exec_module

            def then_exchange(module: ModuleType) -> None:
                execute(module)
                self._exchange(module)

            loader.exec_module = then_exchange
        return spec

    def _exchange(self, module: ModuleType) -> None:
        theirs = getattr(module, _FUNCTION, None)
        # A test may have put something of its own there.
        if getattr(theirs, "__module__", None) == _MODULE and _current is self:
            self._theirs = theirs
            setattr(module, _FUNCTION, self._ours)


_current: Optional[_Exchange] = None


def replace(ours: Callable[..., Any]) -> None:
    global _current
    restore()
    _current = _Exchange(ours)
    try:
        _current.begin()
    except BaseException as error:
        say_once(_MODULE, "%s", _values.error_text(error))


def restore() -> None:
    global _current
    exchange, _current = _current, None
    if exchange is not None:
        exchange.end()
