import type { Coverage } from '../call/coverage.js';
import type { AnswerSource } from '../call/envelope.js';
import type { ExtractError } from '../errors/extract-error.js';

/** The rest of a list of which a page failed: where it begins. */
export interface ListRest {
  readonly cursor: string;
  /** Pages before it, which stay charged. */
  readonly pages: number;
}

/** How one input ended. */
export interface Outcome {
  /** `data` as JSON text; null when nothing came. Beside an error, the pages of a list that came before it. */
  readonly json: string | null;
  readonly error: ExtractError | null;
  /** Where its list goes on once the page that failed answers. */
  readonly rest?: ListRest | undefined;
  /** Where its last page came from; null when it failed. */
  readonly source: AnswerSource | null;
  /** Credits that it cost in the end. */
  readonly charged: number;
  /** Credits that were charged and given back, as the ledger's rows show it. */
  readonly givenBack: number;
  /** Calls that stay charged. */
  readonly calls: number;
  /** Fingerprints of the items of a list, in order; undefined where they are not known. */
  readonly prints?: readonly string[] | undefined;
  /** `sources` as JSON text, where they were asked for. */
  readonly sources?: string | undefined;
  /** Captions of its items as JSON text, where they are known. */
  readonly captions?: string | undefined;
  /** How much it holds of what was asked for; undefined where a server of an earlier version answered. */
  readonly coverage?: Coverage | undefined;
  /** True where the pages of a list were followed, so that its line always says how much of the list it is. */
  readonly joins?: boolean;
  /** True for a list that was read up to the end that the platform gives it. */
  readonly isWhole?: boolean;
  /** True where a page of it may say less than another reading. */
  readonly isBrief?: boolean;
  /** Records of the archive that it was read from, where one is kept. */
  readonly records?: readonly string[] | undefined;
}
