import type { Command } from 'commander';
import * as z from 'zod';
import { isReasonOf } from '../../../../lib/runtime/abort.js';
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

const filesHint = 'Suppress the subject, then rewrite them without it: extract convert FILE NEW.';

/** Places that no command can delete from; every receipt lists them. */
const beyond: readonly Forgotten[] = [
  notReached(
    'backups, and copies of them',
    'Delete those that are older than this, or forget again after a restore.',
  ),
  notReached('files that were shared, webhooks and e-mails that were sent', 'Ask those who have them.'),
  notReached('files of your own', filesHint),
  notReached(
    'answers in the memory of running servers',
    'They are not returned while the subject is suppressed, and disappear within a day or at a restart.',
  ),
];

const again = 'Not everything is deleted yet. Run the same command again.\n';

const introduction = [
  'Delete a person, place or thing from everything that is stored, with a receipt.',
  'Searches the data directory, or the configured database: cached answers, results and inputs of jobs, histories, and what --new remembers. Deletes text that names the subject as a complete word, even if someone else mentions it. The receipt lists what was removed where, and what could not be reached.',
  'Suppress the subject first, or the next call may fetch it again. Your own files are not changed: extract convert FILE NEW rewrites one without suppressed subjects.',
].join('\n\n');

/** `extract forget SUBJECT`: deletes a subject from everything stored, with a receipt. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<subject>', 'the address of a page, or platform:name, as for extract suppress')
    .argument('[files...]', 'your own files, which the receipt lists as not reached');
  answerList(addLocalOption(command), context, receiptRow, async (text: string, files: readonly string[]) => {
    await requireLocal(context, command, 'its operator forgets');
    const subject = parseSubject(text);
    const traces = new Traces([subject]);
    const data = await changeAccounts(
      context,
      async (_, store, { cacheUrl }) => {
        const { forgetInRedisCache } = await import('../../../compose/forget-in-redis-cache.js');
        const removed = await store.forget(subject, traces, context.signal).catch(async (error) => {
          if (isReasonOf(error, context.signal)) await context.stderr.write(again);
          throw error;
        });
        const redis = cacheUrl === undefined ? [] : [await forgetInRedisCache(cacheUrl, traces)];
        return [...removed, ...redis, ...files.map((file) => notReached(file, filesHint)), ...beyond];
      },
      (receipt) => receipt.some(({ removed }) => removed !== null && removed > 0),
    );
    return { data };
  });
}
