import { spawn } from 'node:child_process';
import { dayMs } from '../../../../lib/runtime/clock.js';
import { programCommand } from '../../../../lib/runtime/program-command.js';
import { version } from '../../../../lib/runtime/version.js';
import { isAtLeast } from '../../doctor/latest-version.js';
import type { OutputStream } from '../context.js';
import { readLastUpdate } from './last-update.js';

export const updateText = (latest: string): string =>
  `Version ${latest} is available; this is ${version}. Install it: npm install -g public-extract, or a release's file.\n`;

/** Looks it up in a separate process, which no command waits for. */
function lookUpInBackground(): void {
  const { command, args } = programCommand();
  const child = spawn(command, [...args, 'update', '--quiet'], { detached: true, stdio: 'ignore' });
  // A failed look-up is not a fault of the command.
  child.on('error', () => undefined);
  child.unref();
}

/**
 * Reports on a terminal what the last look-up found, and starts another after a day. Only with `EXTRACT_UPDATE_NOTICE`.
 */
export async function tellUpdate(
  home: string,
  stderr: OutputStream,
  now: number,
  lookUp = lookUpInBackground,
): Promise<void> {
  const lastLookUp = await readLastUpdate(home);
  // A clock that was set back does not prevent a look-up.
  if (lastLookUp === null || Math.abs(now - lastLookUp.checked_at) >= dayMs) lookUp();
  const latest = lastLookUp?.latest ?? null;
  if (latest !== null && !isAtLeast(version, latest)) await stderr.write(updateText(latest));
}
