import { type Command, Option } from 'commander';
import * as z from 'zod';
import { linesOf } from '../../../files/batch-files/lines.js';
import { openSource } from '../../../files/batch-files/read-inputs.js';
import { type ActName, type AuditLog, actMeanings, auditEntry } from '../../../service/audit/audit-log.js';
import { checkExport } from '../../../service/audit/check-export.js';
import type { Context } from '../context.js';
import { wholeNumber } from '../number-arguments.js';
import { answerList, answerObject } from '../reply.js';
import { checkSpan, utcTime } from '../utc-time.js';
import { withAccounts } from '../with-accounts.js';

const columns = ['number', 'at', 'act', 'subject', 'login', 'via', 'details', 'digest'];
const maxRows = 1_000;

const outcome = z.strictObject({
  acts: z.int(),
  digest: z.string().nullable(),
  fault: z.string().nullable(),
});

/** Where the log ends, and its first fault. */
async function checkLog(audit: AuditLog): Promise<z.output<typeof outcome>> {
  const fault = await audit.check();
  const [last] = await audit.list({ limit: 1 });
  return { acts: last?.number ?? 0, digest: last?.digest ?? null, fault };
}

/** Holds an export against its digests, and the log against the export: it must begin with the same acts. */
async function checkFile(audit: AuditLog, file: string): Promise<z.output<typeof outcome>> {
  const source = await openSource(file);
  const found = await checkExport(linesOf(source.chunks)).finally(() => source.close());
  if ('fault' in found) return { acts: 0, digest: null, fault: `${file}: ${found.fault}` };
  const { acts, digest } = found.head;
  if (acts === 0) return { acts, digest: null, fault: null };
  const own = await audit.find(acts);
  const fault =
    own?.digest === digest ? await audit.check() : `The log does not hold act ${acts} of ${file}.`;
  return { acts, digest, fault };
}

/** `extract audit list|export|check`: what operators did, as a chain of digests. */
export function defineCommand(group: Command, context: Context): void {
  const list = group
    .command('list')
    .description('List the acts of operators, newest first')
    .option('--limit <number>', `the newest so many: 1 to ${maxRows}`, wholeNumber(1, maxRows), 50)
    .option('--from <time>', 'acts since this day or time', utcTime)
    .option('--to <time>', 'acts before this day or time', utcTime)
    .addOption(new Option('--act <name>', 'only these acts').choices(Object.keys(actMeanings)));
  const listed = async () => {
    const query = list.opts<{ limit: number; from?: string; to?: string; act?: ActName }>();
    checkSpan(query);
    return { data: await withAccounts(context, (_, { audit }) => audit.list(query)) };
  };
  answerList(list, context, auditEntry, listed, columns);

  group
    .command('export')
    .description('Write all acts as lines of JSON, oldest first; the export is an act, too')
    .action(() =>
      withAccounts(context, async (_, { audit }) => {
        // First, so that the export holds itself.
        await audit.note({ act: 'audit.export' });
        for await (const entry of audit.entries()) await context.stdout.write(`${JSON.stringify(entry)}\n`);
      }),
    );

  const check = group
    .command('check')
    .description('Check that no act was changed, removed or moved; exit status 8 where one was')
    .argument('[file]', 'an earlier export: the log must begin with the same acts');
  answerObject(check, context, outcome, async (file: string | undefined) => {
    const data = await withAccounts(context, (_, { audit }) =>
      file === undefined ? checkLog(audit) : checkFile(audit, file),
    );
    return { data, exitStatus: data.fault === null ? 0 : 8 };
  });
}
