import type { ExtractError } from '../../../lib/errors/extract-error.js';

/** The line of an input that was answered; both are JSON text. */
export function dataLine(input: string, data: string): Buffer {
  return Buffer.from(`{"input":${input},"data":${data}}\n`);
}

/** The line of an input that failed. */
export function errorLine(input: string, error: ExtractError): Buffer {
  return Buffer.from(`{"input":${input},"error":${JSON.stringify(error)}}\n`);
}
