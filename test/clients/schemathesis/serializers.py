"""Media types that schemathesis does not know: bytes and text are sent as they are."""

import schemathesis


@schemathesis.serializer("application/offset+octet-stream", "application/vnd.ms-excel")
def as_it_is(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode()
