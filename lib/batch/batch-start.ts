import type { ExtractError } from '../errors/extract-error.js';
import type { Outcome } from './outcome.js';

/** Inputs at the start of a batch that must end the same way to stop it. */
const maxEqual = 5;

/**
 * Detects that the platform's pages have changed for all of the first inputs of a batch, so the rest would fail too.
 */
export class BatchStart {
  #isOver = false;
  #first: ExtractError | null = null;
  #equal = 0;

  /** Returns the error that ends the batch after one more outcome; null if it continues. */
  endedBy({ json, error }: Pick<Outcome, 'json' | 'error'>): ExtractError | null {
    if (this.#isOver || error?.type === 'invalid_request') return null;
    const isEqual = this.#first === null || (error !== null && error.message === this.#first.message);
    if (error?.code !== 'platform_changed' || json !== null || !isEqual) {
      this.#isOver = true;
      return null;
    }
    this.#first ??= error;
    this.#equal += 1;
    if (this.#equal < maxEqual) return null;
    const reason = `The first ${maxEqual} inputs all ended so, and the rest was not asked.`;
    return error.withSentence(reason);
  }
}
