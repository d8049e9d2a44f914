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
  readonly total: number;
}

export interface EndedEntry {
  readonly index: number;
  readonly ending: InputEnding;
  /** Time of its call, milliseconds since 1970; undefined without a call. */
  readonly at?: number | undefined;
  /** Undefined without a call. */
  readonly measures?: Charge['measures'];
}

export function inputId(job: string, index: number): string {
  return `${job}:${index}`;
}

export function inputIndex(job: string, id: string): number {
  return Number(id.slice(job.length + 1));
}
