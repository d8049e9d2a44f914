/**
 * The three identifiers of a place encode the same two 64-bit numbers A and B, so they convert without the platform.
 *
 * - Feature id: `0xA:0xB` in hexadecimal, lower case, without leading zeros.
 * - place_id: `ChIJ…`, base64url of 0a 12 09 A 11 B, the numbers little-endian.
 * - cid: B in decimal; A cannot be derived from it.
 */

/** A feature id in the platform's spelling. */
export type FeatureId = `0x${string}:0x${string}`;

const bytesOfId = 20;

/** Converts a feature id in any spelling to the platform's; null for other texts. */
export function featureId(text: unknown): FeatureId | null {
  const halves = typeof text === 'string' ? /^0x([0-9a-f]+):0x([0-9a-f]+)$/i.exec(text.trim()) : null;
  if (halves === null) return null;
  const [a, b] = halves.slice(1).map((half) => half.toLowerCase().replace(/^0+(?=.)/, '')) as [
    string,
    string,
  ];
  return a.length > 16 || b.length > 16 ? null : `0x${a}:0x${b}`;
}

const numbersOf = (id: FeatureId) => id.split(':').map((half) => BigInt(half)) as [bigint, bigint];

/** True for a feature id without its first number (`0x0:0xB`), which says no more than a cid. */
export function isHalf(id: FeatureId): boolean {
  return id.startsWith('0x0:');
}

export function cidOf(id: FeatureId): string {
  return String(numbersOf(id)[1]);
}

/** Returns a decimal cid, 1 to 2^64 - 1, or null. */
export function cid(text: string): string | null {
  if (!/^[1-9]\d{0,19}$/.test(text) || BigInt(text) >= 2n ** 64n) return null;
  return text;
}

/** Returns the cid in the code of a `g.page/r/…` link: base64url of 09, the number little-endian, and 10 01. */
export function cidOfBusinessLink(code: string): string | null {
  const bytes = Buffer.from(code, 'base64url');
  if (bytes.length < 9 || bytes[0] !== 0x09) return null;
  return cid(String(bytes.readBigUInt64LE(1)));
}

export function hexOfCid(text: string): string {
  return `0x${BigInt(text).toString(16)}`;
}

export function placeIdOf(id: FeatureId): string {
  const bytes = Buffer.alloc(bytesOfId);
  const [a, b] = numbersOf(id);
  bytes.set([0x0a, 0x12, 0x09]);
  bytes.writeBigUInt64LE(a, 3);
  bytes[11] = 0x11;
  bytes.writeBigUInt64LE(b, 12);
  return bytes.toString('base64url');
}

/** Returns the feature id of a place_id, or null for other kinds (addresses and routes encode no numbers). */
export function featureIdOf(placeId: string): FeatureId | null {
  const bytes = Buffer.from(placeId, 'base64url');
  if (bytes.length !== bytesOfId) return null;
  const id = featureId(
    `0x${bytes.readBigUInt64LE(3).toString(16)}:0x${bytes.readBigUInt64LE(12).toString(16)}`,
  );
  // Verifies the fixed bytes and the last character's spare bits.
  return id !== null && placeIdOf(id) === placeId ? id : null;
}

/** True if two feature ids identify one place. If one is half, the cid decides. */
export function samePlace(one: FeatureId, other: FeatureId): boolean {
  return one === other || ((isHalf(one) || isHalf(other)) && cidOf(one) === cidOf(other));
}
