import type { Command } from 'commander';
import * as z from 'zod';
import { parseSubject, type Subject, subjectText } from '../../../../lib/suppressions/subject.js';
import type { Suppressions } from '../../../../lib/suppressions/suppressions.js';
import type { Context } from '../context.js';
import { addLocalOption, requireLocal } from '../local-option.js';
import { answerList } from '../reply.js';
import { changeAccounts, withAccounts } from '../with-accounts.js';

const subjectRow = z.strictObject({ subject: z.string(), since: z.string() });
const changedRow = z.strictObject({ subject: z.string(), changed: z.boolean() });

const subjectArgument = [
  '<subject...>',
  'the address of a page, or platform:name, such as tiktok:@handle, linkedin:in/name or maps:ChIJ…',
] as const;

/** `extract suppress …`: manages subjects that are never requested or returned. */
export function defineCommand(group: Command, context: Context): void {
  function addChange(
    name: string,
    description: string,
    change: (suppressions: Suppressions, subject: Subject) => Promise<boolean>,
  ): void {
    const command = group
      .command(name)
      .description(description)
      .argument(...subjectArgument);
    answerList(addLocalOption(command), context, changedRow, async (texts: readonly string[]) => {
      await requireLocal(context, command, 'its operator decides what is suppressed');
      const subjects = texts.map(parseSubject);
      const data = await changeAccounts(
        context,
        async (_, { suppressions }) => {
          const rows: z.output<typeof changedRow>[] = [];
          for (const subject of subjects) {
            rows.push({ subject: subjectText(subject), changed: await change(suppressions, subject) });
          }
          return rows;
        },
        (rows) => rows.some(({ changed }) => changed),
      );
      return { data };
    });
  }
  addChange(
    'add',
    'Suppress subjects: they are never requested and never returned, not even in lists',
    (all, one) => all.add(one),
  );
  addChange('remove', 'Stop suppressing subjects', (all, one) => all.remove(one));

  const list = group.command('list').description('List the suppressed subjects');
  answerList(addLocalOption(list), context, subjectRow, async () => {
    await requireLocal(context, list, 'its operator decides what is suppressed');
    const all = await withAccounts(context, (_, { suppressions }) => suppressions.list());
    const data = all.map((one) => ({
      subject: subjectText(one),
      since: new Date(one.addedAt).toISOString(),
    }));
    return { data, empty: 'No subjects are suppressed. Add one with “extract suppress add”.' };
  });
}
