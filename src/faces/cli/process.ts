import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { readConfig } from '../../../lib/config.js';
import { endpoints } from '../../../lib/endpoints.js';
import { createExtractor } from '../../../lib/extractor.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { readProgramSettings } from '../../config/program-config.js';
import { writeFault as outputFault } from '../../files/batch-files/output-fault.js';
import type { Context, OutputStream } from './context.js';
import { refuseOtherOwner } from './data-owner.js';
import { Interruption } from './exit-status-error.js';
import { run } from './run.js';

/** Milliseconds for the last output of a process that was told to stop. */
const lastWordsMs = 1_000;

/** Nobody who reads on is left to the report. Everything else is a fault that the user can do something about. */
function writeFault(cause: NodeJS.ErrnoException): Error {
  if (cause.code === 'EPIPE') return cause;
  return outputFault(cause);
}

/** A stream of this process. A fault rejects the write that met it and never ends the process. */
function outputStream(stream: Writable & Partial<WriteStream>): OutputStream {
  stream.on('error', () => undefined);
  return {
    isTTY: stream.isTTY === true,
    columns: stream.columns,
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error == null ? resolve() : reject(writeFault(error))));
      }),
  };
}

/** Tells of a newer version, where the user wants that. Whatever keeps it from being told is no fault of the command. */
async function tellUpdate({ stderr }: Context): Promise<void> {
  try {
    const { tellUpdate: tell } = await import('./update/update-notice.js');
    await tell(readConfig().home, stderr, systemClock.now());
  } catch {
    // The settings may be what the command itself has just refused.
  }
}

/** Runs the command line of this process. The first signal ends the call and gives its charge back; a second ends the process. */
export async function runProcess(args: readonly string[]): Promise<number> {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const interruption = new Interruption(signal);
      if (ending.signal.aborted) process.exit(interruption.exitStatus);
      ending.abort(interruption);
    });
  }
  const context: Context = {
    endpoints,
    stdin: () => ({
      chunks: process.stdin,
      size: undefined,
      async close() {
        process.stdin.destroy();
      },
    }),
    askSecret: async () => (await import('./ask-secret.js')).askSecret(process.stdin),
    stdout: outputStream(process.stdout),
    stderr: outputStream(process.stderr),
    settings: readProgramSettings(),
    signal: ending.signal,
    async openExtractor(config, onWarning, archive) {
      const extractor = createExtractor(config, { onWarning, archive });
      refuseOtherOwner(extractor.config.home, args);
      return extractor;
    },
  };
  const status = await run(args, context);
  if (context.settings.updateNotice && context.stderr.isTTY && args[0] !== 'update')
    await tellUpdate(context);
  // Told to stop, it does not wait for who has stopped reading what it says.
  if (ending.signal.aborted) setTimeout(() => process.exit(status), lastWordsMs).unref();
  return status;
}
