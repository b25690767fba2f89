"""Many senders at once."""
from concurrent.futures import ThreadPoolExecutor

from otlp_conformance.registry import SHOULD, check, expect
from otlp_conformance.signals import SIGNALS
from otlp_conformance.target import FORMS, encode, post

SENDERS, REQUESTS = 32, 10


@check("http.concurrent", SHOULD, "Many connections at once, of all signals and forms, compressed or not, are served")
def concurrent(target):
    def one(sender):
        statuses = []
        with target.connect() as connection:
            for number in range(REQUESTS):
                signal, form = SIGNALS[(sender + number) % 3], FORMS[sender % 2]
                body = encode(target.request(signal, 20), form)
                statuses.append(post(connection, signal, form, body, gzip=number % 2 == 0).status)
        return statuses

    target.connect().close()
    with ThreadPoolExecutor(SENDERS) as pool:
        statuses = [status for some in pool.map(one, range(SENDERS)) for status in some]
    bad = [s for s in statuses if s not in (200, 429, 503)]
    expect(not bad, f"{len(bad)} of {len(statuses)} answered with {sorted(set(bad))} (expected: 200; 429 or 503 when busy)")
    return f"{statuses.count(200)} of {len(statuses)} requests of {SENDERS} connections accepted, the others told to retry"
