import type { Coverage } from '../call/coverage.js';
import type { AnswerSource } from '../call/envelope.js';
import type { ExtractError } from '../errors/extract-error.js';

/** The rest of a list after a failed page. */
export interface ListRest {
  readonly cursor: string;
  /** Pages before it, which stay charged. */
  readonly pages: number;
}

/** How one input ended. */
export interface Outcome {
  /** `data` as JSON text; null if nothing came. With an error: a list's pages before it. */
  readonly json: string | null;
  readonly error: ExtractError | null;
  /** Where the list continues once the failed page answers. */
  readonly rest?: ListRest | undefined;
  /** The source of its last page; null if it failed. */
  readonly source: AnswerSource | null;
  /** Credits charged after refunds. */
  readonly charged: number;
  /** Credits charged and refunded, as in the ledger. */
  readonly givenBack: number;
  /** Calls that stay charged. */
  readonly calls: number;
  /** Fingerprints of a list's items, in order; undefined if unknown. */
  readonly prints?: readonly string[] | undefined;
  /** `sources` as JSON text, if requested. */
  readonly sources?: string | undefined;
  /** Captions of its items as JSON text, if known. */
  readonly captions?: string | undefined;
  /** How much of the request it holds. Undefined from a server of an earlier version. */
  readonly coverage?: Coverage | undefined;
  /** True if the pages of a list were followed, so that its line always reports coverage. */
  readonly joins?: boolean;
  /** True for a list read to the platform's own end. */
  readonly isWhole?: boolean;
  /** True for a list that an earlier run began and that was read from its beginning, because its cursor had expired. */
  readonly isReread?: boolean;
  /** True if one of its pages may have less than another reading. */
  readonly isBrief?: boolean;
  /** Records of the archive it was read from, if there is one. */
  readonly records?: readonly string[] | undefined;
}
