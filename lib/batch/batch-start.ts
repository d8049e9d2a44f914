import type { ExtractError } from '../errors/extract-error.js';
import type { Outcome } from './outcome.js';

/** Inputs at the start of a batch that must find changed pages to stop it. */
const maxChanged = 5;

/**
 * Detects that the platform's pages have changed for all of the first inputs of a batch, so the rest would fail too.
 */
export class BatchStart {
  #isOver = false;
  #changed = 0;

  /** Returns the error that ends the batch after one more outcome; null if it continues. */
  endedBy({ json, error }: Pick<Outcome, 'json' | 'error'>): ExtractError | null {
    if (this.#isOver || error?.type === 'invalid_request') return null;
    if (error?.code !== 'platform_changed' || json !== null) {
      this.#isOver = true;
      return null;
    }
    this.#changed += 1;
    if (this.#changed < maxChanged) return null;
    return error.withSentence(`The first ${maxChanged} inputs all ended like this, so the batch stopped.`);
  }
}
