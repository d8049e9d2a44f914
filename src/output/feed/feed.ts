import { createHash } from 'node:crypto';

/** An entry of a feed. */
export interface FeedEntry {
  /** An IRI that is the same whenever the entry is rendered, and no other entry's. */
  readonly id: string;
  readonly title: string;
  /** Where a person sees it. */
  readonly url: string | null;
  /** ISO 8601 UTC. */
  readonly published: string;
  /** Plain text; lines end in `\n`. */
  readonly text: string;
  readonly tags: readonly string[];
}

/** A feed, whatever its format. */
export interface Feed {
  /** An IRI that never changes. */
  readonly id: string;
  readonly title: string;
  /** Its own address; null where it is a file. */
  readonly selfUrl: string | null;
  /** The page that it is about; null for none. */
  readonly homeUrl: string | null;
  /** The newest first. */
  readonly entries: readonly FeedEntry[];
  /** When it was last changed, where it has no entries; ISO 8601 UTC. */
  readonly emptySince: string;
}

/** When a feed last changed: at its newest entry, whatever their order. */
export const feedUpdated = ({ entries, emptySince }: Feed): string =>
  entries.reduce((latest, { published }) => (published > latest ? published : latest), '') || emptySince;

/** A name of its own for whatever a text names, as a UUID (version 8). The same text has the same one. */
export function uuidUrn(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `urn:uuid:${hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
}
