import type { Command } from 'commander';
import { addBatchOptions, batchOptionsOf, resumeCommand } from '../batch/batch-options.js';
import { chainOptionsOf } from '../batch/chain-options.js';
import { setCompletionWords } from '../completion/words.js';
import type { Context } from '../context.js';
import type { Options } from '../output.js';
import { UsageError } from '../usage-error.js';

const introduction = [
  'Run an endpoint for every line of a file.',
  'The input is one name, ID or URL per line; a table with parameter names as its header (CSV, TSV, XLSX); objects of parameters (NDJSON or a JSON array); or the results of an earlier command. Other columns are carried along. Each input becomes one line of the output, in the same order: {"input":…,"data":…} or {"input":…,"error":…}. Failed inputs are free.',
  'With -o, a checkpoint is kept next to the output, so --resume continues after any interruption: nothing is lost, and nothing is charged twice.',
].join('\n\n');

const afterword = `
Examples:
  # a profile for each line of names.txt
  extract batch shortvideo/profile names.txt -o profiles.ndjson
  # what it would cost, and which lines are wrong
  extract batch maps/place places.csv --dry-run
  # in a pipe
  cut -f1 list.tsv | extract batch photosocial/profile - | jq .data.name
  # the comments of the videos that a search finds
  extract shortvideo search tea --format ndjson | extract batch shortvideo/comments - -o comments.xlsx
  # the same in one command, with the five first videos of each search
  extract batch shortvideo/search words.txt --then shortvideo/comments --then-limit 5 -o tea.xlsx`;

/** `extract batch`: a stream of inputs, a stream of lines. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<endpoint>', 'such as maps/place')
    .argument('[file]', 'the inputs; - or nothing for stdin');
  setCompletionWords(
    command,
    context.endpoints.map(({ path }) => path),
  );
  addBatchOptions(command, { once: true })
    .addHelpText('after', afterword)
    .action(async (endpoint: string, file: string | undefined) => {
      const typed = command.opts<Options>();
      const goOn = resumeCommand(command);
      const then = typed.then as readonly string[];
      const { withBatchBucket } = await import('../bucket/batch-bucket.js');
      if (then.length > 0) {
        const { runChain } = await import('../batch/run-chain.js');
        return withBatchBucket(context, typed, false, async (given) => {
          const stages = chainOptionsOf([endpoint, ...then], file, given, context.endpoints);
          await runChain(context, stages, { appends: typed.append === true, goOn });
        });
      }
      if (typed.thenLimit !== undefined) {
        throw new UsageError('missing_parameter', '--then-limit needs --then ENDPOINT.');
      }
      await withBatchBucket(context, typed, false, async (given) => {
        const options = batchOptionsOf(endpoint, file, given, context.endpoints);
        const { runAndNotify } = await import('../notify/run-and-notify.js');
        await runAndNotify(context, options, goOn);
      });
    });
}
