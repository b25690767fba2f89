"""Prints JMH's results as a table, and what they are beside OpenTelemetry's SDK: java_table.py RESULTS.json LOG"""
import json
import re
import statistics
import sys

NAMES = {
    "openTelemetrySdk": ("OpenTelemetry SDK: builder, start, end", None),
    "rollscopeByOpenTelemetryApi": ("Rollscope, the same calls", "openTelemetrySdk"),
    "openTelemetrySdkCurrent": ("OpenTelemetry SDK: start, make current, set, end", None),
    "rollscopePhase": ("Rollscope: phase, set, close", "openTelemetrySdkCurrent"),
    "rollscopeDisabled": ("Rollscope, disabled", None),
}

caller = {name: [] for name in NAMES}
for line in open(sys.argv[2], encoding="utf-8"):
    if started := re.match(r"# Benchmark: .*\.(\w+)$", line):
        name = started[1]
    elif said := re.match(r"caller ([0-9.]+)$", line):
        caller[name].append(float(said[1]))

results = {}
for result in json.load(open(sys.argv[1], encoding="utf-8")):
    name = result["benchmark"].rsplit(".", 1)[1]
    wall = [value for fork in result["primaryMetric"]["rawData"] for value in fork]
    size = result["secondaryMetrics"]["gc.alloc.rate.norm"]["score"]
    cpu = statistics.median(caller[name]) if caller[name] else statistics.median(wall)
    results[name] = (statistics.fmean(wall), statistics.median(wall), cpu, size)

print("ns per span; wall time, and processor time of the caller, which other load changes less; bytes of all threads")
print(f"{'':50} {'mean':>7} {'median':>7} {'caller':>7} {'bytes':>6}   beside the SDK: median, caller")
for name, (label, peer) in NAMES.items():
    mean, median, cpu, size = results[name]
    ratio = f"{median / results[peer][1]:.2f} ×  {cpu / results[peer][2]:.2f} ×" if peer else ""
    print(f"{label:50} {mean:7.1f} {median:7.1f} {cpu:7.1f} {size:6.0f}   {ratio}")
