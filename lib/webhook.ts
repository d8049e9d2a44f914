import { createHmac, timingSafeEqual } from 'node:crypto';

/** The prefix of every signing secret, by which people and secret scanners recognise it. */
export const webhookSecretPrefix = 'whsec_';

/** Maximum seconds between the time of a delivery and now, in either direction. */
export const webhookTolerance = 300;

function mac(secret: string, timestamp: number, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/**
 * Returns the `Extract-Signature` header of a delivery: `t=<unix seconds>,v1=<hex>`, with one `v1` per signing secret.
 * `body` is sent byte for byte.
 */
export function signWebhook(
  secrets: readonly string[],
  timestamp: number,
  body: string | Uint8Array,
): string {
  const signatures = secrets.map((secret) => `v1=${mac(secret, timestamp, body)}`);
  return [`t=${timestamp}`, ...signatures].join(',');
}

/** A delivery as received, and how to verify it. */
export interface WebhookDelivery {
  /** The body as received: its bytes or text, not parsed and serialised again. */
  readonly body: string | Uint8Array;
  /** The `Extract-Signature` header. */
  readonly signature: string | null | undefined;
  /** The account's signing secret, `whsec_…`. */
  readonly secret: string;
  /** The current time in milliseconds since 1970, for tests. */
  readonly now?: number | undefined;
}

/**
 * Returns true if a delivery was sent by the service: signed with the secret, and within 300 seconds of now. Never
 * throws, whatever the input.
 */
export function verifyWebhook({ body, signature, secret, now = Date.now() }: WebhookDelivery): boolean {
  let timestamp: number | undefined;
  const signatures: string[] = [];
  for (const part of (signature ?? '').split(',')) {
    const [, name, value = ''] = /^(\w+)=(.*)$/.exec(part.trim()) ?? [];
    if (name === 't' && /^\d{1,12}$/.test(value)) timestamp = Number(value);
    if (name === 'v1' && /^[\da-f]{64}$/.test(value)) signatures.push(value);
  }
  if (timestamp === undefined || secret === '') return false;
  const bytes = new TextEncoder();
  const expected = bytes.encode(mac(secret, timestamp, body));
  let matches = false;
  for (const one of signatures) {
    // Compares every signature, in constant time.
    if (timingSafeEqual(bytes.encode(one), expected)) matches = true;
  }
  return matches && Math.abs(Math.floor(now / 1000) - timestamp) <= webhookTolerance;
}
