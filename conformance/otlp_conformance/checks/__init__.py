"""The checks, grouped by what they are about; importing this package registers them."""
from otlp_conformance.checks import (  # noqa: F401
    accepting,
    bad_data,
    partial_success,
    json_form,
    http_rules,
    http_bodies,
    http2,
    grpc_rules,
    limits,
    pressure,
    load,
    stored,
)
