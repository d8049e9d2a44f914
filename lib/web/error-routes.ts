import type { ExtractError } from '../errors/extract-error.js';
import { type ErrorRoute, refusal } from '../errors/outcomes.js';

/** Different subjects in a row after which the platform refuses whoever asks. */
const mostInRow = 5;

/** The subjects in whose place a platform showed its error page, since it last answered. */
export class ErrorRoutes {
  readonly #subjects = new Set<string>();

  /** The platform answered. */
  recordAnswer(): void {
    this.#subjects.clear();
  }

  /** The error that an error page comes to after those before it. */
  record(error: ErrorRoute): ExtractError {
    if (this.#subjects.size < mostInRow) this.#subjects.add(error.subject);
    if (this.#subjects.size < mostInRow) return error;
    return refusal('shell', `The platform shows its error page for ${mostInRow} subjects in a row.`);
  }
}
