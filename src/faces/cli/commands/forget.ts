import type { Command } from 'commander';
import * as z from 'zod';
import { parseSubject } from '../../../../lib/suppressions/subject.js';
import { Traces } from '../../../../lib/suppressions/traces.js';
import { type Forgotten, notReached } from '../../../files/forget/forgotten.js';
import type { Context } from '../context.js';
import { addLocalOption, requireLocal } from '../local-option.js';
import { answerList } from '../reply.js';
import { changeAccounts } from '../with-accounts.js';

const receiptRow = z.strictObject({
  place: z.string(),
  removed: z.number().nullable(),
  note: z.string().nullable(),
});

/** The places that no command can reach, in every receipt. */
const beyond: readonly Forgotten[] = [
  notReached(
    'backups, and copies of them',
    'Delete those that are older than this, or forget again after a restore.',
  ),
  notReached('files that were given away, webhooks and e-mails that were sent', 'Ask those who have them.'),
  notReached('files and folders that were not named', 'Name them behind the subject.'),
  notReached(
    'answers in the memory of servers that run',
    'They are given to nobody while the subject is suppressed, and gone within a day or with a restart.',
  ),
];

const introduction = [
  'Delete a person, place or thing from everything that is stored, with a receipt.',
  'The data directory, or the database that is set, is searched: cached answers, results and inputs of jobs, histories, what --new remembers. Named files are rewritten without the subject: NDJSON, JSON, CSV, TSV, XLSX, Parquet, SQLite, archives (WACZ), folders of saved pages and of media. Text that names it as a whole word is deleted, even where somebody else mentions it. The receipt says what was removed where, and what was not reached.',
  'Suppress the subject first, or the next call may bring it back.',
].join('\n\n');

/** `extract forget SUBJECT [FILE…]`: takes a subject out of all that is kept, with a receipt. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<subject>', 'the address of a page, or platform:name, as for extract suppress')
    .argument('[files...]', 'files and folders of your own to go through, too');
  answerList(addLocalOption(command), context, receiptRow, async (text: string, files: readonly string[]) => {
    await requireLocal(context, command, 'its operator forgets');
    const subject = parseSubject(text);
    const traces = new Traces([subject]);
    const data = await changeAccounts(
      context,
      async (_, store, { home, cacheUrl }) => {
        const { forgetInOwnFiles } = await import('../../../compose/forget-in-own-files.js');
        const own = await forgetInOwnFiles(files, traces, home);
        const { forgetInRedisCache } = await import('../../../compose/forget-in-redis-cache.js');
        const removed = await store.forget(subject, traces);
        const redis = cacheUrl === undefined ? [] : [await forgetInRedisCache(cacheUrl, traces)];
        return [...removed, ...redis, ...own, ...beyond];
      },
      (receipt) => receipt.some(({ removed }) => removed !== null && removed > 0),
    );
    return { data };
  });
}
