import type { Command } from 'commander';
import { media } from '../../../lines/steps/media.js';
import { addInputEndpoint } from '../batch/batch-options.js';
import type { Context } from '../context.js';
import { stepFlags } from '../step-options.js';

const introduction = [
  'Download the pictures and videos, and with --captions the captions, of existing results: the NDJSON of a batch or of a list command.',
  'Each file is named after its item and number, checked by type and length, and saved once. manifest.ndjson has a line for each: item, number, URL, file, bytes, type and SHA-256, or the error. Existing files are not downloaded again, and interrupted downloads resume.',
  'Downloads only from the platform’s own media hosts, at their pace. Their URLs expire within days, so prefer downloading while the batch runs (extract batch … --media DIR).',
].join('\n\n');

/** `extract media`: downloads pictures and videos of existing results. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<file>', 'results as NDJSON')
    .argument('[dir]', 'the folder to save them in. Default: next to the file, with its name and .media');
  for (const flag of stepFlags('mediaMaxMb', media.options.mediaMaxMb)) command.addOption(flag);
  addInputEndpoint(command)
    .option(
      '--captions',
      'Also save the captions of videos; results do not contain them, so each video costs another call',
    )
    .option('--demo', 'Save sample pictures and captions instead of the platform’s, without a network')
    .option('-q, --quiet', 'No summary')
    .action(async (file: string, dir: string | undefined) => {
      const { runMedia } = await import('../media-command.js');
      await runMedia(context, file, { ...command.opts(), dir: dir ?? `${file}.media` });
    });
}
