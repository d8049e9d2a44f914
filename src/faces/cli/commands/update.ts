import type { Command } from 'commander';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { version } from '../../../../lib/runtime/version.js';
import { isAtLeast, latestVersion } from '../../doctor/latest-version.js';
import { type Context, configOf } from '../context.js';
import { writeLastUpdate } from '../update/last-update.js';
import { updateText } from '../update/update-notice.js';

/** `extract doctor update`: checks for a newer version; installs nothing. */
export function defineCommand(command: Command, context: Context): void {
  command
    .option('-q, --quiet', 'keep the result for the notice, and print nothing')
    .addHelpText(
      'after',
      '\nAsks npm, with its registry and proxy, and installs nothing. With\nEXTRACT_UPDATE_NOTICE=true, commands check once a day and report a newer\nversion on a terminal.',
    )
    .action(async ({ quiet = false }: { readonly quiet?: boolean }) => {
      const latest = await latestVersion();
      const { home } = await configOf(context);
      await writeLastUpdate(home, { checked_at: systemClock.now(), latest });
      if (quiet) return;
      if (latest === null) await context.stdout.write(`This is ${version}; could not look up the latest.\n`);
      else if (isAtLeast(version, latest)) await context.stdout.write(`${version} is the latest.\n`);
      else await context.stdout.write(updateText(latest));
    });
}
