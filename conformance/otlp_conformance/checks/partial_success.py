"""What is said when a receiver takes only parts of a request."""
from otlp_conformance.registry import MUST, SHOULD, Skipped, check, expect
from otlp_conformance.signals import SIGNALS
from otlp_conformance.target import WAYS, rejected

GOOD, BAD = 2, 3


def _partial(target, way, signal, good):
    """The response to a request with items most receivers cannot use: no trace id, no time."""
    outcome = way.send(target, signal, target.request(signal, good, BAD))
    if not outcome.accepted:
        expect(outcome.permanent, f"{outcome.observed} (expected: an error that asks for no retry)")
        raise Skipped(f"refuses such a request as a whole: {outcome.observed}")
    partial = outcome.response.partial_success
    if not rejected(signal, outcome.response) and not partial.error_message:
        raise Skipped("takes spans without trace id, log records and points without time")
    return outcome


@check(
    "{way}.{signal}.partial.count",
    MUST,
    "When only parts are accepted, the answer is 200 or OK with partial_success and the number of rejected items",
    way=WAYS,
    signal=SIGNALS,
)
def count(target, way, signal):
    outcome = _partial(target, way, signal, GOOD)
    expect(rejected(signal, outcome.response) == BAD, f"{outcome.observed} (expected: rejected {BAD})")
    return outcome.observed


@check(
    "{way}.{signal}.partial.message",
    SHOULD,
    "partial_success says in error_message why items were rejected",
    way=WAYS,
    signal=SIGNALS,
)
def message(target, way, signal):
    outcome = _partial(target, way, signal, GOOD)
    expect(outcome.response.partial_success.error_message.strip(), f"{outcome.observed} (expected: a message)")
    return outcome.observed


@check(
    "{way}.{signal}.partial.all",
    MUST,
    "A request whose items are all rejected is no full success: their number in partial_success, or an error without retry",
    way=WAYS,
    signal=SIGNALS,
)
def all_rejected(target, way, signal):
    outcome = _partial(target, way, signal, 0)
    expect(rejected(signal, outcome.response) == BAD, f"{outcome.observed} (expected: rejected {BAD})")
    return outcome.observed
