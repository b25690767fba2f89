"""google.rpc.Status with RetryInfo and BadRequest, without depending on the package that has them all."""
from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, duration_pb2, json_format, message_factory

_POOL = descriptor_pool.DescriptorPool()


def _define():
    for known in (any_pb2, duration_pb2):
        _POOL.AddSerializedFile(known.DESCRIPTOR.serialized_pb)
    field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="google/rpc/conformance.proto", package="google.rpc", syntax="proto3")
    file.dependency.extend(["google/protobuf/any.proto", "google/protobuf/duration.proto"])
    status = file.message_type.add(name="Status")
    status.field.add(name="code", number=1, type=field.TYPE_INT32, label=field.LABEL_OPTIONAL)
    status.field.add(name="message", number=2, type=field.TYPE_STRING, label=field.LABEL_OPTIONAL)
    status.field.add(
        name="details",
        number=3,
        type=field.TYPE_MESSAGE,
        type_name=".google.protobuf.Any",
        label=field.LABEL_REPEATED,
    )
    retry = file.message_type.add(name="RetryInfo")
    retry.field.add(
        name="retry_delay",
        number=1,
        type=field.TYPE_MESSAGE,
        type_name=".google.protobuf.Duration",
        label=field.LABEL_OPTIONAL,
        json_name="retryDelay",
    )
    file.message_type.add(name="BadRequest")
    _POOL.Add(file)


_define()


def _class(name):
    return message_factory.GetMessageClass(_POOL.FindMessageTypeByName("google.rpc." + name))


Status = _class("Status")
RetryInfo = _class("RetryInfo")


def from_bytes(data):
    return Status.FromString(data)


def from_json(text):
    return json_format.Parse(text, Status(), ignore_unknown_fields=True, descriptor_pool=_POOL)


def retry_delay(status):
    """Seconds of the RetryInfo among the details, or None."""
    for detail in status.details:
        if detail.type_url.endswith("/google.rpc.RetryInfo"):
            delay = RetryInfo.FromString(detail.value).retry_delay
            return delay.seconds + delay.nanos / 1e9
    return None
