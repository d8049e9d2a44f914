import type { ErrorCode } from '../errors/extract-error.js';
import type { Charge } from './ledger.js';

/** How an input of a job ended. `credits` is the price of its answer, at most the reserved price. */
export type InputEnding =
  | { readonly status: 'ok'; readonly cached: boolean; readonly credits: number }
  | { readonly status: 'failed'; readonly code: ErrorCode };

/** The charge of a new job, which reserves the price of every input. */
export interface Reserve extends Required<Pick<Charge, 'account' | 'endpoint' | 'credits' | 'key'>> {
  readonly job: string;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A job whose pending inputs are abandoned. */
export interface ReleasedJob {
  readonly id: string;
  readonly account: string;
  /** Number of its inputs. */
  readonly total: number;
}

/** An input that has ended. */
export interface EndedEntry {
  readonly index: number;
  readonly ending: InputEnding;
  /** When its call was made, in milliseconds since 1970. Undefined if no call was made. */
  readonly at?: number | undefined;
  /** The measurements of its call. Undefined if no call was made. */
  readonly measures?: Charge['measures'];
}

/** Returns the row id of an input. */
export function inputId(job: string, index: number): string {
  return `${job}:${index}`;
}

/** Returns the input index encoded in a row id of a job. */
export function inputIndex(job: string, id: string): number {
  return Number(id.slice(job.length + 1));
}
