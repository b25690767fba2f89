"""Looking into a receiver: what did it keep? One class for each kind that can be asked."""
import json
import time
import urllib.error
import urllib.request

PATIENCE = 15  # seconds until something acknowledged must be visible
STEP = 0.1


class Rollscope:
    """Asks GET /api/v1/traces/{trace}."""

    def __init__(self, url, headers=()):
        self._url = url.rstrip("/")
        self._headers = dict(headers)

    def spans(self, trace):
        """The stored spans of a trace, as dictionaries with span_id, parent_id, name, start_ns, end_ns, attributes."""
        asked = urllib.request.Request(f"{self._url}/api/v1/traces/{trace.hex()}", headers=self._headers)
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:
                spans = json.load(answer)["spans"]
            for span in spans:  # Nanoseconds are text there.
                span.update({key: span[key] and int(span[key]) for key in ("start_ns", "end_ns")})
            return spans
        except urllib.error.HTTPError as e:
            if e.code == 404:
                return []
            raise

    def await_spans(self, trace, ids):
        """The spans of a trace as soon as these are there, or what there is after a while."""
        end = time.monotonic() + PATIENCE
        while True:
            found = self.spans(trace)
            if {s["span_id"] for s in found}.issuperset(ids) or time.monotonic() > end:
                return found
            time.sleep(STEP)


VERIFIERS = {"rollscope": Rollscope}
