"""Objects that raise whatever they are asked."""
import asyncio
import traceback

RAISED = [ValueError, SystemExit, KeyboardInterrupt, GeneratorExit, asyncio.CancelledError, MemoryError, RecursionError]


def hostile(error):
    """An object that raises whatever it is asked."""

    def raises(*_):
        raise error("mine")

    asked = "str repr int index float bool len iter getitem eq hash format contains bytes complex trunc floor ceil round lt fspath"
    members = {f"__{name}__": raises for name in asked.split()}
    members["__class__"] = property(raises)
    return type("Hostile", (), members)()


def hostile_mapping(error):
    def raises(*_):
        raise error("mine")

    return type("HostileMapping", (dict,), {name: raises for name in ("keys", "items", "__iter__", "__len__", "__getitem__")})(a=1)


def hostile_error(error):
    def raises(*_):
        raise error("mine")

    return type("HostileError", (Exception,), {"__str__": raises, "__repr__": raises})()


class LyingText(str):
    """A text that is none as soon as it is touched."""

    def __str__(self):
        return self

    def __getitem__(self, index):
        raise SystemExit("mine")

    def __len__(self):
        raise SystemExit("mine")

    def encode(self, *_):
        raise SystemExit("mine")


def raised_by(work, *values):
    """What got through and where, in words: pytest would show the values and fall over them."""
    try:
        work(*values)
        return None
    except BaseException as error:
        return "%s at %s" % (type(error).__name__, [f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)])
