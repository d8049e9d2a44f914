"""For receivers of webhooks: verifies that the service sent a delivery."""

import hashlib
import hmac
import re
import time

WEBHOOK_TOLERANCE = 300
"""Maximum seconds between the time of a delivery and now, in either direction."""


def verify_webhook(
    body: bytes | str, signature: str | None, secret: str, *, now: float | None = None
) -> bool:
    """
    Returns True if the service sent the delivery: signed with the secret, within 300 seconds of now. Never raises for
    untrusted input.

    body: The body as received, as bytes or text; not parsed and serialized again.
    signature: The `Extract-Signature` header; None without one.
    secret: The signing secret of the account, `whsec_…`.
    now: The current time in seconds since 1970, for tests.
    """
    timestamp: int | None = None
    signatures: list[str] = []
    for part in (signature or "").split(","):
        name, _, value = part.strip().partition("=")
        if name == "t" and re.fullmatch(r"[0-9]{1,12}", value):
            timestamp = int(value)
        if name == "v1" and re.fullmatch(r"[0-9a-f]{64}", value):
            signatures.append(value)
    if timestamp is None or secret == "":
        return False
    payload = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    expected = hmac.new(secret.encode(), f"{timestamp}.".encode() + payload, hashlib.sha256).hexdigest()
    # Compares every signature, so that the time does not depend on which one matches.
    matches = [hmac.compare_digest(one, expected) for one in signatures]
    return any(matches) and abs(int(time.time() if now is None else now) - timestamp) <= WEBHOOK_TOLERANCE
