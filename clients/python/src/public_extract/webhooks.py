"""For receivers of webhooks: whether a delivery is what the service sent."""

import hashlib
import hmac
import re
import time

WEBHOOK_TOLERANCE = 300
"""Seconds that the time of a delivery may be away from now, on either side."""


def verify_webhook(
    body: bytes | str, signature: str | None, secret: str, *, now: float | None = None
) -> bool:
    """
    Says whether a delivery is what the service sent: signed with the secret, and within 300 seconds of now. Nothing
    that comes from outside makes it raise.

    body: The body as it came: its bytes or text, not parsed and written again.
    signature: The `Extract-Signature` header; None where there is none.
    secret: The signing secret of the account, `whsec_…`.
    now: The present time, for tests; seconds since 1970.
    """
    timestamp: int | None = None
    given: list[str] = []
    for part in (signature or "").split(","):
        name, _, value = part.strip().partition("=")
        if name == "t" and re.fullmatch(r"[0-9]{1,12}", value):
            timestamp = int(value)
        if name == "v1" and re.fullmatch(r"[0-9a-f]{64}", value):
            given.append(value)
    if timestamp is None or secret == "":
        return False
    sent = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    expected = hmac.new(secret.encode(), f"{timestamp}.".encode() + sent, hashlib.sha256).hexdigest()
    # Every signature is compared, whichever matches.
    matches = [hmac.compare_digest(one, expected) for one in given]
    return any(matches) and abs(int(time.time() if now is None else now) - timestamp) <= WEBHOOK_TOLERANCE
