import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { writeFault } from '../../files/batch-files/output-fault.js';
import type { OutputStream } from './context.js';

type ProcessStream = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** A reader that has left needs no report. The user may be able to fix any other fault. */
function dataFault(cause: NodeJS.ErrnoException): Error {
  if (cause.code === 'EPIPE') return cause;
  return writeFault(cause);
}

/** Stdout. A fault rejects the write, and never ends the process. */
export function dataStream(stream: ProcessStream): OutputStream {
  stream.on('error', () => undefined);
  return {
    isTTY: stream.isTTY === true,
    /** 0 if the terminal does not know its size. */
    get columns() {
      return stream.columns || undefined;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error == null ? resolve() : reject(dataFault(error))));
      }),
  };
}

/** Stderr. If it cannot be written to, work continues, and the exit status still counts. */
export function noteStream(stream: ProcessStream): OutputStream {
  const output = dataStream(stream);
  const { write } = output;
  return Object.assign(output, { write: (text: string) => write(text).catch(() => undefined) });
}
