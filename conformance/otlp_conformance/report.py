"""Results in three forms: for people, for programs, for continuous integration."""
import json
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from xml.sax.saxutils import escape, quoteattr

PASS, FAIL, SKIP = "PASS", "FAIL", "SKIP"
_PRINTABLE = {c: "?" for c in range(32) if c not in (9, 10, 13)}


@dataclass(frozen=True)
class Result:
    id: str
    level: str
    says: str
    outcome: str
    observed: str
    seconds: float


class Text:
    """One line a check as it ends; the sentence only where something is wrong."""

    def begin(self):
        pass

    def add(self, result):
        print(f"{result.outcome}  {result.level:6}  {result.id}  {_one_line(result.observed)}", flush=True)
        if result.outcome == FAIL:
            print(f"        expected: {result.says}", flush=True)

    def end(self, results):
        counts = Counter(r.outcome for r in results)
        print(f"{counts[PASS]} passed, {counts[FAIL]} failed, {counts[SKIP]} skipped")


class Json:
    def begin(self):
        pass

    def add(self, result):
        pass

    def end(self, results):
        counts = Counter(r.outcome for r in results)
        summary = {"passed": counts[PASS], "failed": counts[FAIL], "skipped": counts[SKIP]}
        json.dump({"summary": summary, "checks": [asdict(r) for r in results]}, sys.stdout, indent=1, ensure_ascii=False)
        print()


class Junit(Json):
    def end(self, results):
        counts = Counter(r.outcome for r in results)
        seconds = sum(r.seconds for r in results)
        print('<?xml version="1.0" encoding="UTF-8"?>')
        print(
            f'<testsuite name="otlp-conformance" tests="{len(results)}" failures="{counts[FAIL]}"'
            f' skipped="{counts[SKIP]}" errors="0" time="{seconds:.3f}">'
        )
        for r in results:
            group, _, name = r.id.rpartition(".")
            head = f"  <testcase classname={quoteattr(group)} name={quoteattr(name)} time=\"{r.seconds:.3f}\""
            text = r.observed.translate(_PRINTABLE)
            if r.outcome == FAIL:
                print(f"{head}><failure message={quoteattr(text)}>{escape(r.level + ': ' + r.says)}</failure></testcase>")
            elif r.outcome == SKIP:
                print(f"{head}><skipped message={quoteattr(text)}/></testcase>")
            else:
                print(f"{head}/>")
        print("</testsuite>")


REPORTS = {"text": Text, "json": Json, "junit": Junit}


def _one_line(text):
    return "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))
