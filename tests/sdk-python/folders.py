"""What was written to a folder, as any other tool would read it."""
import gzip
import io
import json
import pathlib

import zstandard


def files(folder):
    return sorted(path for path in pathlib.Path(folder).rglob("*.jsonl*") if path.is_file())


def text(file):
    data = file.read_bytes()
    if file.name.endswith(".gz"):
        data = gzip.decompress(data)
    elif file.name.endswith(".zst"):
        data = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True).read()
    return data.decode()


def requests(folder):
    return [json.loads(line) for file in files(folder) for line in text(file).splitlines()]


def spans(folder):
    resources = [resource for request in requests(folder) for resource in request.get("resourceSpans", ())]
    return [span for resource in resources for scope in resource["scopeSpans"] for span in scope["spans"]]


def records(folder, event_name):
    resources = [resource for request in requests(folder) for resource in request.get("resourceLogs", ())]
    found = [record for resource in resources for scope in resource["scopeLogs"] for record in scope["logRecords"]]
    return [record for record in found if record["eventName"] == event_name]


def attributes(record):
    return {pair["key"]: next(iter(pair["value"].values())) for pair in record["attributes"]}
