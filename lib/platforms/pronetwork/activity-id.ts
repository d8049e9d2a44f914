import { isoFromUnix } from '../../read/convert.js';

const inUrn = /urn:li:(?:activity|share|ugcPost):(\d{15,20})(?!\d)/;
const inSlug = /-(?:activity|share|ugcPost)-(\d{15,20})(?!\d)/;

/** Number of a post in a urn or in an address of it, or null. It is beyond 2^53 and stays text. */
export function activityIdOf(text: string | null): string | null {
  if (text === null) return null;
  const plain = text.includes('%') ? text.replaceAll(/%3a/gi, ':') : text;
  return inUrn.exec(plain)?.[1] ?? inSlug.exec(plain)?.[1] ?? null;
}

/** The platform had no such numbers earlier. */
const earliest = Date.UTC(2013, 0, 1);

/**
 * When a post was published. Its number is the Unix time in milliseconds, shifted left by 22 bits. In 2025 and 2026 it
 * was within 50 ms of the dates that the pages carry. A repost has a number, and so a time, of its own.
 */
export function publishedAt(id: string | null): string | null {
  if (id === null) return null;
  const milliseconds = Number(BigInt(id) >> 22n);
  return milliseconds < earliest ? null : isoFromUnix(milliseconds, 'ms');
}
