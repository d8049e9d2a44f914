import type { Command } from 'commander';
import { media } from '../../../lines/steps/media.js';
import { addInputEndpoint } from '../batch/batch-options.js';
import type { Context } from '../context.js';
import { stepFlags } from '../step-options.js';

const introduction = [
  'Download the pictures and videos, and with --captions the captions, of existing results: the NDJSON of a batch or of a list command.',
  'Each file is named after its item and number, checked by type and length, and saved once. manifest.ndjson has a line for each: item, number, URL, file, bytes, type and SHA-256, or the error. Files that exist are not fetched again, and interrupted downloads continue where they stopped.',
  'Only the platform’s own media hosts are asked, at their pace. Their URLs expire within days, so it is better to download them while the batch runs (extract batch … --media DIR).',
].join('\n\n');

/** `extract media`: downloads pictures and videos of existing results. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<file>', 'results as NDJSON')
    .argument('[dir]', 'the folder to save them in. Default: next to the file, its name with .media');
  for (const flag of stepFlags('mediaMaxMb', media.options.mediaMaxMb)) command.addOption(flag);
  addInputEndpoint(command)
    .option(
      '--captions',
      'Also save the captions of videos: asks each video’s page again, at the price of a call, as results do not hold them',
    )
    .option('--demo', 'Save invented pictures and captions in place of the platform’s: no network, no charge')
    .option('-q, --quiet', 'No summary')
    .action(async (file: string, dir: string | undefined) => {
      const { runMedia } = await import('../media-command.js');
      await runMedia(context, file, { ...command.opts(), dir: dir ?? `${file}.media` });
    });
}
