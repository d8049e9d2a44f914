import { ExtractError } from '../errors/extract-error.js';

/** Outcomes after which the next source is tried. */
const passesToNext: ReadonlySet<string> = new Set([
  'platform_blocked',
  'platform_login_required',
  'platform_rate_limited',
  'platform_unavailable',
  'platform_timeout',
  'platform_changed',
]);

/**
 * Fetches the same object from several sources in order, until one answers. A refusal or a changed page leads
 * to the next source; “not found” and every other outcome is final. Where none answers, the error of the
 * first and best source is thrown. `alsoPasses` names further outcomes after which the next source is tried.
 */
export async function firstAnswer<T>(
  sources: readonly (() => Promise<T>)[],
  alsoPasses: (error: unknown) => boolean = () => false,
): Promise<T> {
  let first: unknown;
  for (const fetchAnswer of sources) {
    try {
      return await fetchAnswer();
    } catch (error) {
      const passes = error instanceof ExtractError && passesToNext.has(error.code);
      if (!passes && !alsoPasses(error)) throw error;
      first ??= error;
    }
  }
  throw first;
}
