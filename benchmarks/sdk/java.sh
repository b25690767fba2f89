#!/usr/bin/env bash
# The Java part of ./dev bench sdk: a span beside OpenTelemetry's SDK (JMH), then threads at full speed against a server.
# usage: java.sh [--rounds N] [--seconds N]   JVMs per measurement (3), seconds of the sustained run (60)
set -euo pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${here%/benchmarks/sdk}
program=bench
cd "$root"
. dev.d/common.sh

rounds=3 seconds=60
while (($#)); do
  case $1 in
    --rounds) rounds=$2 ;;
    --seconds) seconds=$2 ;;
    *) fail option "$1" '--rounds N or --seconds N' ;;
  esac
  shift 2
done

find_java
need_maven
take_build_lock
JAVA_HOME=$java_home mvn -B -q -Dquick -Dmaven.test.skip=true -pl benchmarks -am package >&2
exec 9>&- # the server below builds itself if it must
out=$root/target/bench
mkdir -p "$out"
classes="benchmarks/target/classes:benchmarks/target/lib/*"

echo "## Java: one span with 4 attributes, start and end, on the caller's thread"
echo "$(uptime | sed 's/^ *//'), $(nproc) processors, $("$java_home/bin/java" -version 2>&1 | sed -n 2p)"
"$java_home/bin/java" -cp "$classes" org.openjdk.jmh.Main SpanBenchmark -f "$rounds" -prof gc -jvmArgs '-Xmx1g' \
  -rf json -rff "$out/sdk-java.json" >"$out/sdk-java.log" 2>&1 || { tail -n 30 "$out/sdk-java.log" >&2 && exit 1; }
grep -o 'recorded [0-9]*, arrived [0-9]*.*' "$out/sdk-java.log" | sort | uniq -c | sed 's/^ *\([0-9]*\) /\1 × /'
if grep -q 'expected: [0-9]*, as recorded' "$out/sdk-java.log"; then fail spans 'got lost' 'none; see target/bench/sdk-java.log'; fi
python3 "$here/java_table.py" "$out/sdk-java.json"

echo
echo "## Java: 8 threads at full speed for $seconds s, against a server on the same machine"
data=$(mktemp -d "$out/sdk-java-XXXXXX")
./rollscope server start --data "$data" --port 0 --otlp-http-port 0 --otlp-grpc-port 0 --format json >"$data.json" 2>"$data.log" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$data" "$data.json" "$data.log"' EXIT
address() { sed -n "s/.*\"$1\" *: *\"\\([^\"]*\\)\".*/\\1/p" "$data.json"; }
for _ in {1..600}; do
  [[ -z $(address url) || -z $(address otlp_http) ]] || break
  kill -0 $server 2>/dev/null || { cat "$data.log" >&2 && exit 1; }
  read -rt 0.2 <> <(:) || true
done
uptime | sed 's/^ *//'
"$java_home/bin/java" -Xmx512m -cp "$classes" io.rollscope.benchmarks.sdk.SustainedLoad "$(address otlp_http)" "$(address url)" 8 "$seconds"
