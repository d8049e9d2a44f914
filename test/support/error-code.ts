import { ExtractError } from '../../lib/errors/extract-error.js';

function codeOf(error: unknown): string {
  if (error instanceof ExtractError) return error.code;
  throw error;
}

/** The code of the error that a call throws, or `none`. */
export function thrownCode(call: () => unknown): string {
  try {
    call();
    return 'none';
  } catch (error) {
    return codeOf(error);
  }
}

/** The code of the error that a promise is rejected with, or `none`. */
export const rejectedCode = (promise: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(promise).then(() => 'none', codeOf);
