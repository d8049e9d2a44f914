import { readConfig } from '../../../lib/config.js';
import { endpoints } from '../../../lib/endpoints.js';
import { createExtractor } from '../../../lib/extractor.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { readProgramSettings } from '../../config/program-config.js';
import type { Context } from './context.js';
import { refuseOtherOwner } from './data-owner.js';
import { endingSignals, Interruption } from './exit-status-error.js';
import { dataStream, noteStream } from './process-streams.js';
import { run } from './run.js';

/** Milliseconds for the last output after a signal. */
const lastWordsMs = 1_000;

/** Reports a newer version if the user enabled that. Failures are ignored. */
async function tellUpdate({ stderr }: Context): Promise<void> {
  try {
    const { tellUpdate: tell } = await import('./update/update-notice.js');
    await tell(readConfig().home, stderr, systemClock.now());
  } catch {
    // The command may have rejected these settings itself.
  }
}

/**
 * Runs the command line of this process. The first signal, such as SIGHUP from a closed terminal, cancels the call
 * and refunds it; a second ends the process.
 */
export async function runProcess(args: readonly string[]): Promise<number> {
  const ending = new AbortController();
  for (const signal of endingSignals) {
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
    stdout: dataStream(process.stdout),
    stderr: noteStream(process.stderr),
    settings: readProgramSettings(),
    signal: ending.signal,
    async openExtractor(config, onWarning, evidence) {
      const extractor = createExtractor(config, { onWarning, evidence });
      refuseOtherOwner(extractor.config.home, args);
      return extractor;
    },
  };
  const status = await run(args, context);
  if (context.settings.updateNotice && context.stderr.isTTY && args[0] !== 'update')
    await tellUpdate(context);
  // After a signal, the process does not wait for a reader that stopped reading.
  if (ending.signal.aborted) setTimeout(() => process.exit(status), lastWordsMs).unref();
  return status;
}
