import type { Command } from 'commander';
import * as z from 'zod';
import { type Context, withExtractor } from '../context.js';
import { addOutputOptions } from '../output.js';
import { answerWriter } from '../reply.js';

const outcome = z.strictObject({ cleared: z.boolean() });

/** `extract cache clear`: forgets every kept answer. */
export function fillCache(cache: Command, context: Context): void {
  const command = cache.command('clear').description('Delete every cached answer');
  addOutputOptions(command).action(async () => {
    const reply = answerWriter(command, context, outcome, false);
    // What an earlier run kept is there also when this one is set to keep nothing.
    await withExtractor(context, { cache: true }, async (extractor) => {
      await (await extractor.cache()).clear();
    });
    await reply({ data: { cleared: true } });
  });
}
