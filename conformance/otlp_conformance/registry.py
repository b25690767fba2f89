"""What a check is, and the list of all of them."""
import itertools
from dataclasses import dataclass
from typing import Callable

MUST = "MUST"
SHOULD = "SHOULD"
EXTRA = "EXTRA"  # not said by OTLP: follows from HTTP, gRPC, Protobuf or what senders rely on
LEVELS = (MUST, SHOULD, EXTRA)


class Failed(Exception):
    """The receiver does something else than the specification says."""


class Skipped(Exception):
    """The duty does not apply, or cannot be seen from outside."""


@dataclass(frozen=True)
class Check:
    id: str
    level: str
    says: str
    run: Callable  # takes the target, returns what was observed


CHECKS = []


def check(id, level, says, **over):
    """Registers a check; once for every combination of the values in `over`, which may be named in id and sentence."""

    def register(function):
        for values in itertools.product(*over.values()):
            named = dict(zip(over, values))

            def run(target, named=named):
                return function(target, **named)

            CHECKS.append(Check(id.format(**named), level, says.format(**named), run))
        return function

    return register


def expect(holds, observed):
    """Fails with what was observed unless it holds."""
    if not holds:
        raise Failed(observed)


def every_check():
    """All checks, in the order they are run."""
    from otlp_conformance import checks  # noqa: F401 (registers them)

    ids = [c.id for c in CHECKS]
    assert len(ids) == len(set(ids)), "two checks with one id"
    return CHECKS
