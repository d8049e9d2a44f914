import type { ErrorCode } from '../errors/extract-error.js';

/** How an input of a job ended. `credits`: what its answer costs, at most what was reserved for it. */
export type InputEnding =
  | { readonly status: 'ok'; readonly cached: boolean; readonly credits: number }
  | { readonly status: 'failed'; readonly code: ErrorCode };

/** Id of the row of one input. */
export function inputId(job: string, index: number): string {
  return `${job}:${index}`;
}
