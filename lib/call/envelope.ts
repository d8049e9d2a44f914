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
  /** The cost of the call, and the next page's cursor. */
  readonly meta: Meta;
  /** The source of each item of the answer, in order; one entry for an object. Present if `sources` was requested. */
  readonly sources?: readonly ItemSource[];
  /** How much of what was requested the answer holds. Present if `sources` was requested. */
  readonly coverage?: Coverage;
  /** Records of the archive, if there is one and no entry of `sources` names them. */
  readonly records?: readonly string[];
}

/** A success whose sources were requested. */
export interface SourcedEnvelope<Data> extends Envelope<Data> {
  /** The source of each item of the answer, in order; one entry for an object. */
  readonly sources: readonly ItemSource[];
  /** How much of what was requested the answer holds. */
  readonly coverage: Coverage;
}

/** The envelope of a call with parameter `sources`. */
export type EnvelopeOf<Data, Sources extends boolean> = [Sources] extends [true]
  ? SourcedEnvelope<Data>
  : Envelope<Data>;

/** The source of an answer. Samples are invented data, and free. */
export type AnswerSource = 'sample' | 'cache' | 'platform';

/** A success before it is expanded: the data stays JSON text until needed. */
export interface Answer {
  /** The source of the data. */
  readonly source: AnswerSource;
  /** True if a browser opened the platform's pages. */
  readonly browsed?: boolean;
  /** `data` as JSON text. */
  readonly json: string;
  /** The cost of the call, and the next page's cursor. */
  readonly meta: Meta;
  /** Fingerprints of a list's items by the platform's own ids, in order. Undefined from a server. */
  readonly prints?: readonly string[] | undefined;
  /** `sources` as JSON text, if requested. */
  readonly sources?: string | undefined;
  /** Records of the archive it was read from, if there is one. */
  readonly records?: readonly string[] | undefined;
  /** Captions of its items as JSON text, only in the process that read the pages. Never part of an envelope. */
  readonly captions?: string | undefined;
  /** True for a correct but incomplete answer. Like the next field, only in the process that read the platform. */
  readonly brief?: boolean;
  /** How much of the request it holds. Undefined from a server of an earlier version. */
  readonly coverage?: Coverage | undefined;
  /** True if suppressed items were removed from the page. */
  readonly leavesOut?: boolean;
}

/** Returns the records of an answer without an item to name them. */
export function unnamedRecords({ sources, records }: Pick<Answer, 'sources' | 'records'>) {
  return sources === undefined || sources === '[]' ? records : undefined;
}

export const recordsEnd = (records: readonly string[] | undefined) =>
  records === undefined || records.length === 0 ? '' : `,"records":${JSON.stringify(records)}`;

export function envelopeEnd(answer: Pick<Answer, 'meta' | 'sources' | 'coverage' | 'records'>): string {
  return `,"meta":${JSON.stringify(answer.meta)}${locatedEnd(answer)}${recordsEnd(unnamedRecords(answer))}}`;
}

/** Formats the envelope as JSON around the unchanged bytes of the data. */
export function envelopeText(answer: Answer): string {
  return `{"data":${answer.json}${envelopeEnd(answer)}`;
}

export function envelope<Data>(answer: Answer): Envelope<Data> {
  const { json, meta, sources, coverage } = answer;
  const sourcesJson =
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
    ...sourcesJson,
    ...(records === undefined ? {} : { records }),
  };
}
