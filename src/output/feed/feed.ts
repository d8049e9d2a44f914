import { createHash } from 'node:crypto';

export interface FeedEntry {
  readonly id: string;
  readonly title: string;
  readonly url: string | null;
  /** ISO 8601 UTC. */
  readonly published: string;
  /** Plain text; lines end with `\n`. */
  readonly text: string;
  readonly tags: readonly string[];
}

export interface Feed {
  readonly id: string;
  readonly title: string;
  /** Its own address; null if it is a file. */
  readonly selfUrl: string | null;
  /** The page it is about; null if there is none. */
  readonly homeUrl: string | null;
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
  /** When a feed without entries last changed; ISO 8601 UTC. */
  readonly emptySince: string;
}

/** Returns when a feed last changed: the time of its newest entry, whatever their order. */
export const feedUpdated = ({ entries, emptySince }: Feed): string =>
  entries.reduce((latest, { published }) => (published > latest ? published : latest), '') || emptySince;

/** Returns a UUID (version 8) derived from a text. The same text always gives the same one. */
export function uuidUrn(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `urn:uuid:${hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
}
