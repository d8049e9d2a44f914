import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { writeFault } from '../../files/batch-files/output-fault.js';
import type { OutputStream } from './context.js';

type ProcessStream = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/**
 * If the reader has gone, there is nobody to report to. Any other fault is one that the user can do something about.
 */
function dataFault(cause: NodeJS.ErrnoException): Error {
  if (cause.code === 'EPIPE') return cause;
  return writeFault(cause);
}

/** The stream of the data. A fault rejects the failing write and never ends the process. */
export function dataStream(stream: ProcessStream): OutputStream {
  stream.on('error', () => undefined);
  return {
    isTTY: stream.isTTY === true,
    /** The current width of the terminal; one that does not know its size says 0. */
    get columns() {
      return stream.columns || undefined;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error == null ? resolve() : reject(dataFault(error))));
      }),
  };
}

/** The stream of notes next to the data. If they cannot be written, the work continues, and its status counts. */
export function noteStream(stream: ProcessStream): OutputStream {
  const output = dataStream(stream);
  const { write } = output;
  return Object.assign(output, { write: (text: string) => write(text).catch(() => undefined) });
}
