import { catalogue, type ErrorCode, isRetryable } from '../../../../lib/errors/catalogue.js';
import type { InputResult, LineFormat } from '../../../files/batch-files/line-format.js';
import { failedCount, type Totals } from '../../../files/batch-files/totals.js';

interface FailedLine {
  readonly line: number;
  readonly code: string;
}

const maxNamed = 5;

/** Records the first failed inputs of a run. */
export class FailedLines {
  readonly #word: string;
  readonly #first: FailedLine[] = [];
  #reread = 0;

  /** `word`: what an input is called. */
  constructor(word: string) {
    this.#word = word;
  }

  /** Wraps a format to record failures. */
  noting(format: LineFormat): LineFormat {
    return { ...format, lines: (result) => format.lines(this.#note(result)) };
  }

  #note(result: InputResult): InputResult {
    const { error, item, isReread = false } = result;
    if (isReread) this.#reread += 1;
    if (error !== null && this.#first.length < maxNamed)
      this.#first.push({ line: item.line, code: error.code });
    return result;
  }

  /** Returns “2 unfinished lists were read again from the beginning: …”, or an empty text. */
  rereadText(): string {
    if (this.#reread === 0) return '';
    const lists = this.#reread === 1 ? 'An unfinished list was' : `${this.#reread} unfinished lists were`;
    return `${lists} read again from the beginning, without charging for earlier pages, because the cursor had expired.`;
  }

  /**
   * Returns “Failed: line 3 (invalid url), line 9 (profile not found) and 12 more.”, or an empty text if nothing failed
   * in this run.
   */
  text(totals: Totals): string {
    if (this.#first.length === 0) return '';
    const failedNames = this.#first.map(
      ({ line, code }) => `${this.#word} ${line} (${code.replaceAll('_', ' ')})`,
    );
    const more = failedCount(totals) - failedNames.length;
    return `Failed: ${failedNames.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''}.`;
  }
}

/** Says whether retrying failed inputs can help, and how. */
export function retryText({ failed }: Totals): string {
  const codes = Object.keys(failed) as ErrorCode[];
  if (codes.some(isRetryable)) return '--retry-failed runs the failed inputs again.';
  if (codes.includes('platform_changed')) return 'Update extract, then use --retry-failed.';
  return codes.every((code) => catalogue[code].type === 'platform')
    ? 'Retrying will not help: visitors cannot see these pages.'
    : 'Retrying will not help: correct or remove these inputs.';
}
