import type { Command } from 'commander';
import * as z from 'zod';
import type { SeenNames } from '../../../lines/memory/seen-names.js';
import { type Context, configOf } from '../context.js';
import { answerList, answerObject } from '../reply.js';
import { withSeenNames } from '../seen-names.js';

const nameRow = z.strictObject({
  name: z.string(),
  lists: z.number(),
  objects: z.number(),
  items: z.number(),
  created_at: z.string(),
  last_run_at: z.string(),
});

const endpointRow = z.strictObject({
  endpoint: z.string(),
  lists: z.number(),
  objects: z.number(),
  items: z.number(),
});

const forgotten = z.strictObject({ forgotten: z.string() });

/** `extract history new …`: manages what earlier runs with `--new NAME` returned. */
export function defineCommand(group: Command, context: Context): void {
  const remembered = async <T>(work: (store: SeenNames) => Promise<T>) =>
    withSeenNames((await configOf(context)).home, work);

  const list = group.command('list').description('List the names, with the number of items remembered');
  answerList(list, context, nameRow, async () => ({ data: await remembered((store) => store.listNames()) }));

  const show = group
    .command('show')
    .description('Show what is remembered under a name, by endpoint')
    .argument('<name>', 'as `extract history new list` shows it');
  answerList(show, context, endpointRow, async (name: string) => ({
    data: await remembered((store) => store.listEndpoints(name)),
  }));

  const forget = group
    .command('forget')
    .description('Forget a name; its next run returns everything again')
    .argument('<name>', 'as `extract history new list` shows it');
  answerObject(forget, context, forgotten, async (name: string) => {
    await remembered((store) => store.forget(name));
    return { data: { forgotten: name } };
  });
}
