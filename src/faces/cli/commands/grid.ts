import type { Command } from 'commander';
import { requireEndpoint, resumeCommand, runOptionsOf } from '../batch/batch-options.js';
import type { Context } from '../context.js';
import { addSearchOptions, searchParams } from '../cover/map-searches.js';
import type { GridKind } from '../grid/grid-output.js';
import { wholeNumber } from '../number-arguments.js';
import type { Options } from '../output.js';
import { checkReplaceable } from '../replaceable-file.js';
import { UsageError } from '../usage-error.js';

const introduction = [
  'Rank a place over a grid of points around it.',
  'Runs the same search at each point and notes the rank of the place among the first 20 results: its rank at each point, the share of points at which it is among the first three, its average rank where it is listed, and who is listed instead. A place that is not listed has no rank; a failed search is marked as failed.',
  'The number of searches is shown first; --dry-run shows only that. With -o, --resume continues an interrupted run.',
].join('\n\n');

const afterword = `
Examples:
  # a page with a map of the ranks, in one file
  extract maps grid --query dentist --place ChIJN1t_tDeuEmsRUsoyG83frY4 -o grid.html
  # a table that grows by the ranks of each week
  extract maps grid --query dentist --place ChIJN1t_tDeuEmsRUsoyG83frY4 -o ranks.csv --append
  # how many searches it takes
  extract maps grid --query dentist --place ChIJN1t_tDeuEmsRUsoyG83frY4 --size 9 --dry-run
  # how it looks, with sample data
  extract maps grid --query dentist --place ChIJN1t_tDeuEmsRUsoyG83frY4 -o sample.html --demo`;

const kinds: readonly GridKind[] = ['html', 'csv', 'geojson'];

function kindOf(file: string): GridKind {
  const kind = kinds.find((one) => file.toLowerCase().endsWith(`.${one}`));
  if (kind !== undefined) return kind;
  throw new UsageError('invalid_parameter', `Cannot write ${file}: a grid is .html, .csv or .geojson.`);
}

/** `extract maps grid`: ranks a place at points around it. */
export function defineCommand(command: Command, context: Context): void {
  command
    .description(introduction)
    .summary('Rank a place at points around it, as a map')
    .requiredOption('--query <text>', 'What to search for, such as “dentist”')
    .requiredOption('--place <id|url>', 'The place: its ID (ChIJ…) or the URL of its page')
    .option('--size <number>', 'Points on each side: 2 to 21', wholeNumber(2, 21), 7)
    .option('--spacing <length>', 'Between two points: 50m to 10km', '500m')
    .option(
      '-o, --output <file>',
      'Write to this file, or to a bucket (s3://bucket/name.html): .html, .csv or .geojson. Default: stdout',
    )
    .option('--append', 'Add to an existing CSV file; each row has the date, query and place of its run')
    .option('--retry-failed', 'Repeat the searches that failed, and rewrite the file');
  addSearchOptions(command, 'grid')
    .addHelpText('after', afterword)
    .action(async () => {
      const options = command.opts<Options>();
      const requestedOutput = options.output as string | undefined;
      const kind = requestedOutput === undefined ? undefined : kindOf(requestedOutput);
      if (options.append === true && kind !== 'csv')
        throw new UsageError('invalid_parameter', '--append requires a table: -o FILE.csv.');
      const { lengthOf } = await import('../../../files/cover/cells.js');
      const search = requireEndpoint('maps/places', context.endpoints);
      const detail = requireEndpoint('maps/place', context.endpoints);
      const placeText = String(options.place);
      const place = /^https?:/i.test(placeText) ? { url: placeText } : { place_id: placeText };
      const query = String(options.query);
      const params = searchParams(options);
      // Rejects invalid words before any request.
      const { parseCallRequest } = await import('../../../../lib/call/call-request.js');
      parseCallRequest(detail, place);
      parseCallRequest(search, { query, ...params });
      const { runGridCommand } = await import('../grid/run-grid.js');
      const { withBatchBucket } = await import('../bucket/batch-bucket.js');
      const size = options.size as number;
      const spacing = lengthOf(String(options.spacing), { min: 50, max: 10_000, what: 'The spacing' });
      await withBatchBucket(context, options, false, async (batchOptions) => {
        const run = runOptionsOf(batchOptions);
        if (run.output !== null) await checkReplaceable(run.output, true, requestedOutput);
        const demo = options.demo === true;
        const about = { search, detail, place, query, params, size, spacing, demo, kind };
        await runGridCommand(context, { ...run, ...about }, resumeCommand(command));
      });
    });
}
