import type { ItemSource } from '../read/item-source.js';
import { type Coverage, locatedEnd } from './coverage.js';

/** `meta` of every success. */
export interface Meta {
  /** ID of the request. Quote it when you ask for help. */
  readonly request_id: string;
  /** Price of the call; 0 for a demo call. */
  readonly credits_charged: number;
  /** Balance after the call; 0 for a demo call without a key. */
  readonly credits_remaining: number;
  /** Served from the cache; the price is the same. */
  readonly cached: boolean;
  /** When the data was fetched; for a cached answer, when it was first fetched. */
  readonly fetched_at: string;
  /** Send it back as `cursor` for the next page; null on the last page. */
  readonly next_cursor: string | null;
}

/** Every success: the data and what the call cost. */
export interface Envelope<Data> {
  /** The object, or the page of the list. */
  readonly data: Data;
  /** The cost of the call, and where the next page is. */
  readonly meta: Meta;
  /** Where each item of the answer stands, in order, for one object one entry; there if `sources` was asked for. */
  readonly sources?: readonly ItemSource[];
  /** How much the answer holds of what was asked for; there if `sources` was asked for. */
  readonly coverage?: Coverage;
  /** Records of the archive, where one is kept and no entry of `sources` names them. */
  readonly records?: readonly string[];
}

/** A success whose sources were asked for. */
export interface SourcedEnvelope<Data> extends Envelope<Data> {
  /** Where each item of the answer stands, in order; for one object one entry. */
  readonly sources: readonly ItemSource[];
  /** How much the answer holds of what was asked for. */
  readonly coverage: Coverage;
}

/** The envelope of a call whose parameter `sources` is `Sources`. */
export type EnvelopeOf<Data, Sources extends boolean> = [Sources] extends [true]
  ? SourcedEnvelope<Data>
  : Envelope<Data>;

/** Where an answer came from. Samples are invented data, and free. */
export type AnswerSource = 'sample' | 'cache' | 'platform';

/** A success before it is spelled out: the data stays serialised until somebody looks into it. */
export interface Answer {
  /** Where the data came from. */
  readonly source: AnswerSource;
  /** True where a browser opened the platform's pages. */
  readonly browsed?: boolean;
  /** `data` as JSON text. */
  readonly json: string;
  /** The cost of the call, and where the next page is. */
  readonly meta: Meta;
  /** Fingerprints of the platform's own ids of a list's items, in order; left out where a server answered. */
  readonly prints?: readonly string[] | undefined;
  /** `sources` as JSON text, where it was asked for. */
  readonly sources?: string | undefined;
  /** Records of the archive that it was read from, where one is kept. */
  readonly records?: readonly string[] | undefined;
  /** Captions of its items as JSON text, known to the process that read the pages. No envelope has them. */
  readonly captions?: string | undefined;
  /** True for a correct but incomplete answer, known to the process that asked the platform, as is the next one. */
  readonly brief?: boolean;
  /** How much of what was asked for it holds; left out by a server of an earlier version. */
  readonly coverage?: Coverage | undefined;
  /** True where the page lacks items that are suppressed. */
  readonly leavesOut?: boolean;
}

/** The records of an answer that has no item to name them. */
export function unnamedRecords({ sources, records }: Pick<Answer, 'sources' | 'records'>) {
  return sources === undefined || sources === '[]' ? records : undefined;
}

/** The records at the end of a line or an envelope. */
export const recordsEnd = (records: readonly string[] | undefined) =>
  records === undefined || records.length === 0 ? '' : `,"records":${JSON.stringify(records)}`;

/** The end of the envelope's text, after the data. */
export function envelopeEnd(answer: Pick<Answer, 'meta' | 'sources' | 'coverage' | 'records'>): string {
  return `,"meta":${JSON.stringify(answer.meta)}${locatedEnd(answer)}${recordsEnd(unnamedRecords(answer))}}`;
}

/** The envelope as JSON text, spliced around the data's own bytes. */
export function envelopeText(answer: Answer): string {
  return `{"data":${answer.json}${envelopeEnd(answer)}`;
}

/** The envelope as a value. */
export function envelope<Data>(answer: Answer): Envelope<Data> {
  const { json, meta, sources, coverage } = answer;
  const located =
    sources === undefined
      ? {}
      : {
          sources: JSON.parse(sources) as ItemSource[],
          ...(coverage === undefined ? {} : { coverage }),
        };
  const records = unnamedRecords(answer);
  return {
    data: JSON.parse(json) as Data,
    meta,
    ...located,
    ...(records === undefined ? {} : { records }),
  };
}
