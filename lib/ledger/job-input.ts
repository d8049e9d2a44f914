import type { ErrorCode } from '../errors/extract-error.js';
import type { Charge } from './ledger.js';

/** How an input of a job ended. `credits`: what its answer costs, at most what was reserved for it. */
export type InputEnding =
  | { readonly status: 'ok'; readonly cached: boolean; readonly credits: number }
  | { readonly status: 'failed'; readonly code: ErrorCode };

/** The charge of a new job: the price of each of its inputs, taken at once. */
export interface Reserve extends Required<Pick<Charge, 'account' | 'endpoint' | 'credits' | 'key'>> {
  readonly job: string;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A job whose inputs that have not ended are given up. */
export interface ReleasedJob {
  readonly id: string;
  readonly account: string;
  /** Its inputs. */
  readonly total: number;
}

/** An input that has ended. */
export interface EndedEntry {
  readonly index: number;
  readonly ending: InputEnding;
  /** When its call was made, in milliseconds since 1970; left out for one that was never made. */
  readonly at?: number | undefined;
  /** The measurements of its call; left out for one that was never made. */
  readonly measures?: Charge['measures'];
}

/** Id of the row of one input. */
export function inputId(job: string, index: number): string {
  return `${job}:${index}`;
}

/** Index of the input that a row of a job is about. */
export function inputIndex(job: string, id: string): number {
  return Number(id.slice(job.length + 1));
}
