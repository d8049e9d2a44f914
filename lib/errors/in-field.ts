import { ExtractError } from './extract-error.js';

/** Runs `act`; its error names the field that it is about, unless it already names one. */
export async function inField<T>(field: string | undefined, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof ExtractError && field !== undefined ? error.ofField(field) : error;
  }
}
