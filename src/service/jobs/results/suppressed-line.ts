import { ExtractError } from '../../../../lib/errors/extract-error.js';

/** The address of a service's documentation, and the request that the line was an answer to; empty where unknown. */
interface Told {
  readonly docsBase: string;
  readonly requestId: string;
}

/**
 * Lines that stand in for one about a subject that is left out, the one that says most first: a kept line must not
 * become longer.
 */
export function suppressedLines(input: unknown, { docsBase, requestId }: Told): readonly object[] {
  const whole = new ExtractError('subject_suppressed', undefined, { docsBase, requestId }).toJSON();
  const error = docsBase === '' ? { ...whole, docs: '' } : whole;
  const brief = new ExtractError('subject_suppressed', undefined, { next: '' });
  const short = { ...error, docs: '', message: brief.message };
  return [error, { ...error, docs: '' }, short, { ...short, message: '' }].map((one) => ({
    input,
    error: one,
  }));
}
