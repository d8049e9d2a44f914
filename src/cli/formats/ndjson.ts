import { printableJson } from '../printable.js';
import { itemsOf, type Writer, type WriterOptions } from './writer.js';

/** One item a line, each page as it comes. */
export function ndjsonWriter({ selection, stdout }: WriterOptions): Writer {
  return {
    async page(answer) {
      const lines = itemsOf(answer, selection).map((item) => `${JSON.stringify(item)}\n`);
      if (lines.length === 0) return;
      const text = lines.join('');
      await stdout.write(stdout.isTTY ? printableJson(text) : text);
    },
    async end() {},
  };
}
