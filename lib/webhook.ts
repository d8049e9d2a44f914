import { createHmac, timingSafeEqual } from 'node:crypto';

/** The prefix of every signing secret, by which people and secret scanners recognise it. */
export const webhookSecretPrefix = 'whsec_';

/** Seconds that the time of a delivery may be away from now, on either side. */
export const webhookTolerance = 300;

function mac(secret: string, timestamp: number, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/**
 * The `Extract-Signature` header of a delivery: `t=<unix seconds>,v1=<hex>`, one `v1` for each secret that signs.
 * `body` is what is sent, byte for byte.
 */
export function signWebhook(
  secrets: readonly string[],
  timestamp: number,
  body: string | Uint8Array,
): string {
  const signatures = secrets.map((secret) => `v1=${mac(secret, timestamp, body)}`);
  return [`t=${timestamp}`, ...signatures].join(',');
}

/** A delivery as it came, and what to hold it against. */
export interface WebhookDelivery {
  /** The body as it came: its bytes or text, not parsed and written again. */
  readonly body: string | Uint8Array;
  /** The `Extract-Signature` header. */
  readonly signature: string | null | undefined;
  /** The signing secret of the account, `whsec_…`. */
  readonly secret: string;
  /** The present time, for tests; milliseconds since 1970. */
  readonly now?: number | undefined;
}

/**
 * Says whether a delivery is what the service sent: signed with the secret, and within 300 seconds of now. Nothing that
 * comes from outside makes it throw.
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
    // Every signature is compared, whichever matches.
    if (timingSafeEqual(bytes.encode(one), expected)) matches = true;
  }
  return matches && Math.abs(Math.floor(now / 1000) - timestamp) <= webhookTolerance;
}
