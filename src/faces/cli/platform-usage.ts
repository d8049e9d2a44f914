import type { Command } from 'commander';
import { platformDay } from '../../../lib/web/platform-day.js';
import type { Context } from './context.js';
import { answerWriter } from './reply.js';
import { UsageError } from './usage-error.js';
import { withAccounts } from './with-accounts.js';

/** Options that apply to the list of calls only. */
const ofCalls = ['limit', 'cursor', 'to', 'endpoint'] as const;

/**
 * `extract usage --platforms`: counts the requests to the platforms by all processes of the data directory or database,
 * newest day first.
 */
export async function replyWithPlatforms(command: Command, context: Context): Promise<void> {
  const other = ofCalls.find((name) => command.getOptionValueSource(name) === 'cli');
  if (other !== undefined) {
    throw new UsageError(
      'conflicting_parameters',
      `--${other} lists calls, and cannot be combined with --platforms.`,
    );
  }
  const { from = '' } = command.opts<{ from?: string }>();
  const reply = answerWriter(command, context, platformDay, true);
  // Days begin at midnight UTC, as in the counts.
  const data = await withAccounts(context, (_, { pace }) => pace.listDays(from.slice(0, 10)));
  const since = from === '' ? 'yet' : `since ${from.slice(0, 10)}`;
  await reply({ data, empty: `No requests to platforms ${since}.` });
}
