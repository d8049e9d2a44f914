import type { ExtractError } from '../errors/extract-error.js';
import type { Outcome } from './outcome.js';

/** Inputs at the start of a batch that end the same way before the rest is asked. */
const maxEqual = 5;

/** Watches whether the first inputs of a batch all find the platform's pages changed: then the rest would, too. */
export class BatchStart {
  #isOver = false;
  #first: ExtractError | null = null;
  #equal = 0;

  /** The error that the batch ends with after one more outcome; null where it goes on. */
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
