import type { Command } from 'commander';
import * as z from 'zod';
import { type Context, withExtractor } from '../context.js';
import { withSeenItems } from '../news/with-news.js';
import { addOutputOptions, addTableOptions } from '../output.js';
import { answerWriter } from '../reply.js';

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

/** `extract new …`: what earlier runs with `--new NAME` gave. */
export function defineCommand(group: Command, context: Context): void {
  const list = group.command('list').description('List the names and how much is remembered under each');
  addTableOptions(list).action(async () => {
    const reply = answerWriter(list, context, nameRow, true);
    await withExtractor(context, {}, ({ config }) =>
      withSeenItems(config.home, async (store) => reply({ data: await store.listNames() })),
    );
  });

  const show = group
    .command('show')
    .description('Show what is remembered under a name, by endpoint')
    .argument('<name>', 'as `extract new list` shows it');
  addTableOptions(show).action(async (name: string) => {
    const reply = answerWriter(show, context, endpointRow, true);
    await withExtractor(context, {}, ({ config }) =>
      withSeenItems(config.home, async (store) => reply({ data: await store.listEndpoints(name) })),
    );
  });

  const forget = group
    .command('forget')
    .description('Forget a name; its next run gives everything again')
    .argument('<name>', 'as `extract new list` shows it');
  addOutputOptions(forget).action(async (name: string) => {
    const reply = answerWriter(forget, context, forgotten, false);
    await withExtractor(context, {}, ({ config }) =>
      withSeenItems(config.home, async (store) => {
        await store.forget(name);
        await reply({ data: { forgotten: name } });
      }),
    );
  });
}
