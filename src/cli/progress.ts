import type { Context } from './context.js';
import type { OutputOptions } from './output.js';

const eraseLine = '\r\u001b[K';

/** A line that counts items while nothing else is seen of them, and is gone at the end. */
export function itemProgress({ stdout, stderr }: Context, { showNotes, format }: OutputOptions) {
  const streams = stdout.isTTY && (format === 'ndjson' || format === 'csv');
  let shown = false;
  return {
    async items(count: number): Promise<void> {
      if (!showNotes || streams) return;
      shown = true;
      await stderr.write(`${eraseLine}${count} items…`);
    },
    async end(): Promise<void> {
      if (shown) await stderr.write(eraseLine);
    },
  };
}
