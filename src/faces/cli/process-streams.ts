import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { writeFault } from '../../files/batch-files/output-fault.js';
import type { OutputStream } from './context.js';

type ProcessStream = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** Nobody who reads on is left to the report. Everything else is a fault that the user can do something about. */
function dataFault(cause: NodeJS.ErrnoException): Error {
  if (cause.code === 'EPIPE') return cause;
  return writeFault(cause);
}

/** The stream of the data. A fault rejects the write that met it and never ends the process. */
export function dataStream(stream: ProcessStream): OutputStream {
  stream.on('error', () => undefined);
  return {
    isTTY: stream.isTTY === true,
    /** As wide as the terminal is now. One that tells no size says 0. */
    get columns() {
      return stream.columns || undefined;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error == null ? resolve() : reject(dataFault(error))));
      }),
  };
}

/** The stream of what is said beside the data. The work goes on, and its status counts, where nobody can be told. */
export function noteStream(stream: ProcessStream): OutputStream {
  const output = dataStream(stream);
  const { write } = output;
  return Object.assign(output, { write: (text: string) => write(text).catch(() => undefined) });
}
