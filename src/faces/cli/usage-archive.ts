import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { Context } from './context.js';
import { answerObject } from './reply.js';
import { UsageError } from './usage-error.js';
import { changeAccounts } from './with-accounts.js';

const archived = z.strictObject({
  file: z.string().nullable(),
  calls: z.number(),
  bytes: z.number(),
});

function day(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError('It must be a day such as 2026-10-01.');
  }
  return text;
}

/** `extract usage archive`: moves old calls of all accounts of the data directory to a file. */
export function addUsageArchive(usage: Command, context: Context): void {
  const file = new Option(
    '-o, --output <file>',
    'a new file (archive/usage-before-DAY-….ndjson.gz in the data directory)',
  );
  // Not the attribute for an answer's file, whose extension determines its format.
  file.attributeName = () => 'archive';
  const command = usage
    .command('archive')
    .description('Move old calls to a file and keep daily sums; balances do not change')
    .requiredOption('--before <day>', 'calls before this day (UTC)', day)
    .addOption(file);
  answerObject(command, context, archived, async () => {
    const { before, archive } = command.opts<{ before: string; archive?: string }>();
    const now = systemClock.now();
    if (Date.parse(before) > now) {
      throw new UsageError('invalid_parameter', `${before} is in the future.`);
    }
    const data = await changeAccounts(
      context,
      async (_, { usageArchive, audit }, { home }) => {
        const { usageArchiveFile, archiveUsage } = await import('../../service/usage/archive-usage.js');
        const file = archive ?? usageArchiveFile(home, before, now);
        const report = await archiveUsage(usageArchive, file, Date.parse(before));
        if (report.file !== null) {
          await audit.note({
            act: 'usage.archive',
            details: { before, calls: report.calls, file: path.basename(file) },
          });
        }
        return report;
      },
      ({ file }) => file !== null,
    );
    return { data };
  });
}
