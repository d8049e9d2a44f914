import { type Command, Option } from 'commander';
import { type ActName, actMeanings, auditEntry } from '../../../service/audit/audit-log.js';
import type { Context } from '../context.js';
import { wholeNumber } from '../number-arguments.js';
import { answerList } from '../reply.js';
import { checkSpan, utcTime } from '../utc-time.js';
import { withAccounts } from '../with-accounts.js';

const columns = ['number', 'at', 'act', 'subject', 'login', 'via', 'details', 'digest'];
const maxRows = 1_000;

/** `extract server audit list|export`: lists the actions of operators. */
export function defineCommand(group: Command, context: Context): void {
  const list = group
    .command('list')
    .description('List the actions of operators, newest first')
    .option('--limit <number>', `how many to list: 1 to ${maxRows}`, wholeNumber(1, maxRows), 50)
    .option('--from <time>', 'actions since this day or time', utcTime)
    .option('--to <time>', 'actions before this day or time', utcTime)
    .addOption(new Option('--act <name>', 'only these acts').choices(Object.keys(actMeanings)));
  const listed = async () => {
    const query = list.opts<{ limit: number; from?: string; to?: string; act?: ActName }>();
    checkSpan(query);
    return { data: await withAccounts(context, (_, { audit }) => audit.list(query)) };
  };
  answerList(list, context, auditEntry, listed, columns);

  group
    .command('export')
    .description('Write all actions as JSON lines, oldest first; includes this export')
    .action(() =>
      withAccounts(context, async (_, { audit }) => {
        // Noted first, so that the export includes itself.
        await audit.note({ act: 'audit.export' });
        for await (const entry of audit.entries()) await context.stdout.write(`${JSON.stringify(entry)}\n`);
      }),
    );
}
