"""gRPC calls with bytes instead of messages, so that they can be wrong."""
from dataclasses import dataclass

import grpc

from otlp_conformance import rpc_status

RETRYABLE = ("CANCELLED", "DEADLINE_EXCEEDED", "ABORTED", "OUT_OF_RANGE", "UNAVAILABLE", "DATA_LOSS")
DEADLINE = 30
_OPTIONS = [("grpc.max_send_message_length", -1), ("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0)]


@dataclass(frozen=True)
class Reply:
    code: str
    message: str
    body: bytes
    status: object  # google.rpc.Status of the trailers, or None

    def __str__(self):
        return self.code + (f": {self.message}" if self.message else "")


def channel(address):
    if address.startswith("https://"):
        return grpc.secure_channel(address[len("https://") :], grpc.ssl_channel_credentials(), options=_OPTIONS)
    return grpc.insecure_channel(address.rpartition("://")[2], options=_OPTIONS)


def call(open_channel, method, body, metadata=(), compression=None, timeout=DEADLINE):
    unary = open_channel.unary_unary(method, request_serializer=bytes, response_deserializer=bytes)
    lower = [(name.lower(), value) for name, value in metadata]
    try:
        return Reply("OK", "", unary(body, timeout=timeout, metadata=lower, compression=compression), None)
    except grpc.RpcError as e:
        details = dict(e.trailing_metadata() or ()).get("grpc-status-details-bin")
        status = None if details is None else rpc_status.from_bytes(details)
        return Reply(e.code().name, e.details() or "", b"", status)


def is_retryable(reply):
    if reply.code == "RESOURCE_EXHAUSTED":
        return reply.status is not None and rpc_status.retry_delay(reply.status) is not None
    return reply.code in RETRYABLE
