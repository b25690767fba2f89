"""Prints JMH's results as a table: mean, median and bytes of each, and what they are beside OpenTelemetry's SDK."""
import json
import statistics
import sys

NAMES = {
    "openTelemetrySdk": ("OpenTelemetry SDK: builder, start, end", None),
    "rollscopeByOpenTelemetryApi": ("Rollscope, the same calls", "openTelemetrySdk"),
    "openTelemetrySdkCurrent": ("OpenTelemetry SDK: start, make current, set, end", None),
    "rollscopePhase": ("Rollscope: phase, set, close", "openTelemetrySdkCurrent"),
    "rollscopeDisabled": ("Rollscope, disabled", None),
}

results = {}
for result in json.load(open(sys.argv[1], encoding="utf-8")):
    name = result["benchmark"].rsplit(".", 1)[1]
    raw = [value for fork in result["primaryMetric"]["rawData"] for value in fork]
    bytes_ = result["secondaryMetrics"]["gc.alloc.rate.norm"]["score"]
    results[name] = (statistics.fmean(raw), statistics.median(raw), bytes_)

print(f"{'':50} {'mean ns':>8} {'median ns':>10} {'bytes':>6}  beside the SDK (median)")
for name, (label, peer) in NAMES.items():
    mean, median, size = results[name]
    ratio = f"{median / results[peer][1]:.2f} ×" if peer else ""
    print(f"{label:50} {mean:8.1f} {median:10.1f} {size:6.0f}  {ratio}")
