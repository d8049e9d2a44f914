import { ExtractError } from '../errors/extract-error.js';

/** Outcomes of one source that say nothing about the next one. */
const passing: ReadonlySet<string> = new Set([
  'platform_blocked',
  'platform_login_required',
  'platform_rate_limited',
  'platform_unavailable',
  'platform_timeout',
  'platform_changed',
]);

/**
 * Asks several sources of the same thing, one after another, until one answers. A refusal or a changed page
 * leads to the next source; “not found” and every other outcome is the answer. Where none answers, the error
 * of the first source is thrown: it is the one the thing should have come from.
 */
export async function firstAnswer<T>(sources: readonly (() => Promise<T>)[]): Promise<T> {
  let first: unknown;
  for (const ask of sources) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ExtractError) || !passing.has(error.code)) throw error;
      first ??= error;
    }
  }
  throw first;
}
