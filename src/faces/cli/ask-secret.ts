import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { Interruption } from './exit-status-error.js';

function silentOutput(): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
}

/** Reads a line from stdin: without echo on a terminal, the first line of a pipe; "" if there is none. */
export function askSecret(input: NodeJS.ReadableStream & Partial<ReadStream>): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({
      input,
      output: silentOutput(),
      terminal: input.isTTY === true,
      historySize: 0,
    });
    let line = '';
    lines.once('line', (text) => {
      line = text.trim();
      lines.close();
    });
    lines.once('SIGINT', () => {
      reject(new Interruption('SIGINT'));
      lines.close();
    });
    lines.once('close', () => resolve(line));
    input.once('error', reject);
  });
}
