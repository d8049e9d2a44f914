import type { Command } from 'commander';
import * as z from 'zod';
import { shownSettings } from '../../../config/shown-settings.js';
import { type Context, withExtractor } from '../context.js';
import { addOutputOptions } from '../output.js';
import { answerWriter } from '../reply.js';

const row = z.strictObject({
  setting: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  default: z.union([z.string(), z.number(), z.boolean()]).nullable(),
});

/** `extract config`: the settings in force, beside their defaults; never a secret. */
export function fillConfig(command: Command, context: Context): void {
  addOutputOptions(command).action(async () => {
    const reply = answerWriter(command, context, row, true);
    const data = await withExtractor(context, {}, async ({ config }) =>
      shownSettings(config, context.endpoints),
    );
    await reply({ data });
  });
}
