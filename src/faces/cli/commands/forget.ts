import type { Command } from 'commander';
import * as z from 'zod';
import { parseSubject } from '../../../../lib/suppressions/subject.js';
import { Traces } from '../../../../lib/suppressions/traces.js';
import { type Forgotten, notReached } from '../../../compose/forgotten.js';
import type { Context } from '../context.js';
import { addLocalOption, requireLocal } from '../local-option.js';
import { answerList } from '../reply.js';
import { changeAccounts } from '../with-accounts.js';

const receiptRow = z.strictObject({
  place: z.string(),
  removed: z.number().nullable(),
  note: z.string().nullable(),
});

const ownFiles = 'Suppress the subject, and write them anew without it: extract convert FILE NEW.';

/** Places that no command can delete from; every receipt lists them. */
const beyond: readonly Forgotten[] = [
  notReached(
    'backups, and copies of them',
    'Delete those that are older than this, or forget again after a restore.',
  ),
  notReached('files that were given away, webhooks and e-mails that were sent', 'Ask those who have them.'),
  notReached('files of your own', ownFiles),
  notReached(
    'answers in the memory of servers that run',
    'They are given to nobody while the subject is suppressed, and gone within a day or with a restart.',
  ),
];

const introduction = [
  'Delete a person, place or thing from everything that is stored, with a receipt.',
  'The data directory, or the database that is set, is searched: cached answers, results and inputs of jobs, histories, what --new remembers. Text that names it as a whole word is deleted, even where somebody else mentions it. The receipt says what was removed where, and what was not reached.',
  'Suppress the subject first, or the next call may bring it back. Files of your own stay as they are: extract convert FILE NEW writes one anew without those who are suppressed.',
].join('\n\n');

/** `extract forget SUBJECT`: deletes a subject from everything stored, with a receipt. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<subject>', 'the address of a page, or platform:name, as for extract suppress')
    .argument('[files...]', 'files of your own, which the receipt names as not reached');
  answerList(addLocalOption(command), context, receiptRow, async (text: string, files: readonly string[]) => {
    await requireLocal(context, command, 'its operator forgets');
    const subject = parseSubject(text);
    const traces = new Traces([subject]);
    const data = await changeAccounts(
      context,
      async (_, store, { cacheUrl }) => {
        const { forgetInRedisCache } = await import('../../../compose/forget-in-redis-cache.js');
        const removed = await store.forget(subject, traces);
        const redis = cacheUrl === undefined ? [] : [await forgetInRedisCache(cacheUrl, traces)];
        return [...removed, ...redis, ...files.map((file) => notReached(file, ownFiles)), ...beyond];
      },
      (receipt) => receipt.some(({ removed }) => removed !== null && removed > 0),
    );
    return { data };
  });
}
