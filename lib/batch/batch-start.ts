import type { ExtractError } from '../errors/extract-error.js';
import type { Outcome } from './outcome.js';

/** First inputs that must all find changed pages to stop the batch. */
const maxChanged = 5;

/** Detects that the pages have changed for all of the first inputs, so that the rest would fail, too. */
export class BatchStart {
  #isOver = false;
  #changed = 0;

  /** Returns the error that ends the batch after this outcome; null if it continues. */
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
