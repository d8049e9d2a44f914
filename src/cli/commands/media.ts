import type { Command } from 'commander';
import { addInputEndpoint, mediaMaxMbOption } from '../batch/batch-options.js';
import type { Context } from '../context.js';

const introduction = [
  'Save the pictures and videos of results that exist: the NDJSON of a batch or of a list command.',
  'Each is named after its item and its number, is checked by type and length, and is saved once, whoever names it. manifest.ndjson has a line for each: item, number, address, file, bytes, type and SHA-256, or the error. What is there is not fetched again, and what broke off goes on where it stopped.',
  'Only the platform’s own media hosts are asked, at their pace. Addresses expire: within days, save them while the batch runs (extract batch … --media DIR).',
].join('\n\n');

/** `extract media`: pictures and videos of results that exist. */
export function fillMedia(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<file>', 'results as NDJSON')
    .argument('[dir]', 'the folder to save them in (default: beside the file, its name with .media)');
  addInputEndpoint(command)
    .addOption(mediaMaxMbOption())
    .option('-q, --quiet', 'No summary')
    .action(async (file: string, dir: string | undefined) => {
      const { runMedia } = await import('../media-command.js');
      await runMedia(context, file, { ...command.opts(), dir: dir ?? `${file}.media` });
    });
}
