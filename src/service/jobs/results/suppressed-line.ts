import { ExtractError } from '../../../../lib/errors/extract-error.js';

/** The base of the documentation, and the request that the line answers; empty if unknown. */
interface AnswerContext {
  readonly docsBase: string;
  readonly requestId: string;
}

/**
 * Returns the lines that may replace one about a suppressed subject, most informative first, because a stored line must
 * not become longer.
 */
export function suppressedLines(input: unknown, { docsBase, requestId }: AnswerContext): readonly object[] {
  const object = new ExtractError('subject_suppressed', undefined, { docsBase, requestId }).toJSON();
  const error = docsBase === '' ? { ...object, docs: '' } : object;
  const brief = new ExtractError('subject_suppressed', undefined, { next: '' });
  const short = { ...error, docs: '', message: brief.message };
  return [error, { ...error, docs: '' }, short, { ...short, message: '' }].map((one) => ({
    input,
    error: one,
  }));
}
