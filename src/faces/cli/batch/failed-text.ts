import { type ErrorCode, isRetryable } from '../../../../lib/errors/catalogue.js';
import type { InputResult, LineFormat } from '../../../files/batch-files/line-format.js';
import { failedCount, type Totals } from '../../../files/batch-files/totals.js';

/** An input that failed, for the summary. */
interface FailedLine {
  readonly line: number;
  readonly code: string;
}

/** Failed inputs that a summary names. */
const maxNamed = 5;

/** The first failed inputs of a run, noted as their lines are written. */
export class FailedLines {
  readonly #first: FailedLine[] = [];
  #anew = 0;

  /** The same format, which notes what failed. */
  noting(format: LineFormat): LineFormat {
    return { ...format, lines: (result) => format.lines(this.#note(result)) };
  }

  #note(result: InputResult): InputResult {
    const { error, item, isAnew = false } = result;
    if (isAnew) this.#anew += 1;
    if (error !== null && this.#first.length < maxNamed)
      this.#first.push({ line: item.line, code: error.code });
    return result;
  }

  /** “2 lists that were under way were read again from the beginning: …” Empty if there was none. */
  anewText(): string {
    if (this.#anew === 0) return '';
    const lists =
      this.#anew === 1 ? 'A list that was under way was' : `${this.#anew} lists that were under way were`;
    return `${lists} read again from the beginning, at no charge for what had come: the cursor had expired.`;
  }

  /** “Failed: line 3 (invalid url), line 9 (profile not found) and 12 more.” Empty if nothing failed in this run. */
  text(totals: Totals): string {
    if (this.#first.length === 0) return '';
    const named = this.#first.map(({ line, code }) => `line ${line} (${code.replaceAll('_', ' ')})`);
    const more = failedCount(totals) - named.length;
    return `Failed: ${named.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''}.`;
  }
}

/** Whether failed inputs may be answered later, and how to run them again. */
export function retryText({ failed }: Totals): string {
  const later = Object.keys(failed).some((code) => isRetryable(code as ErrorCode));
  return later
    ? '--retry-failed runs the failed inputs again.'
    : 'Trying again will not help: correct or remove these inputs.';
}
