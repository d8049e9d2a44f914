import type { Command } from 'commander';
import { requireAppendable, requireEndpoint, resumeCommand, runOptionsOf } from '../batch/batch-options.js';
import type { Context } from '../context.js';
import type { AreaOption } from '../cover/cover-area.js';
import { addSearchOptions, searchParams } from '../cover/map-searches.js';
import { noSourcesOption, type Options, wantsSources } from '../output.js';
import { outputKindOf } from '../output-kind.js';
import { UsageError } from '../usage-error.js';

const introduction = [
  'Find all places in an area.',
  'A search ends after 20 to 300 places. This command divides the area into cells and searches each of them. A cell whose last page is full is split into four, until no cell is full, nothing new is found, or the cells are smaller than 100 m; cells that are still full are named at the end. Each place is returned once, as a line {"input":…,"data":…} with the search that found it first.',
  'The number of searches is shown first; --dry-run shows only that. With -o, --resume continues an interrupted run.',
].join('\n\n');

const afterword = `
Examples:
  # every café of an area
  extract maps cover --query cafe --bbox 23.70,37.95,23.76,38.00 -o cafes.ndjson
  # in the polygons of a file, and around a place
  extract maps cover --query cafe --polygon district.geojson -o cafes.xlsx
  extract maps cover --query cafe --around "Graz" --radius 3km -o cafes.xlsx
  # how many searches it takes at least
  extract maps cover --query cafe --bbox 23.70,37.95,23.76,38.00 --cell 500m --dry-run
  # the searches alone, for a batch of your own
  extract maps cover --query cafe --bbox 23.70,37.95,23.76,38.00 --inputs | extract batch google-maps/places - --all`;

const anyBox = { west: 0, south: 0, east: 1, north: 1 };

function areaOptionOf({ bbox, polygon, around }: Options, metres: number): AreaOption {
  const count = [bbox, polygon, around].filter((value) => value !== undefined).length;
  const ways = '--bbox, --polygon or --around';
  if (count === 0) throw new UsageError('missing_parameter', `Which area? Give ${ways}.`);
  if (count > 1) throw new UsageError('conflicting_parameters', `Give one of ${ways}.`);
  if (bbox !== undefined) return { kind: 'box', text: String(bbox) };
  if (polygon !== undefined) return { kind: 'polygon', file: String(polygon) };
  return { kind: 'around', name: String(around), metres };
}

/** `extract maps cover`: finds all places in an area. */
export function defineCommand(command: Command, context: Context): void {
  command
    .description(introduction)
    .summary('Find all places in an area with many searches')
    .requiredOption('--query <text>', 'What to look for')
    .option('--bbox <w,s,e,n>', 'The area: west,south,east,north in degrees')
    .option('--polygon <file>', 'The area: the polygons of a GeoJSON file')
    .option('--around <name>', 'The area: around the first place that a search for this name finds')
    .option('--radius <length>', 'With --around: how far it reaches, 150m to 50km', '2km')
    .option('--cell <length>', 'Side of the first cells: 150m to 50km', '1km')
    .option(
      '-o, --output <file>',
      'Write to this file, with a checkpoint next to it, or to a bucket (s3://bucket/name.csv). Its extension sets the format, as for batch',
    )
    .option('--sources', 'Add the ID, URL, position and time of each place; tables always have them')
    .addOption(noSourcesOption())
    .option(
      '--append',
      'Add to an existing file: SQLite, where existing places are updated, NDJSON, CSV or TSV',
    )
    .option('--inputs', 'Only print the searches of the first cells, as inputs for a batch');
  addSearchOptions(command, 'area')
    .addHelpText('after', afterword)
    .action(async () => {
      const options = command.opts<Options>();
      const output = (options.output as string | undefined) ?? null;
      const kind = output === null ? 'ndjson' : outputKindOf(output);
      if (options.append === true) requireAppendable(kind, output);
      const sources = wantsSources(options, kind);
      const { circleOf, parseBox, parseLength, lengthOf } = await import('../../../files/cover/cells.js');
      const side = parseLength(String(options.cell));
      const radius = lengthOf(String(options.radius), { min: 150, max: 50_000, what: 'The radius' });
      const option = areaOptionOf(options, radius);
      // Rejects an invalid box before any request.
      const first = circleOf(option.kind === 'box' ? parseBox(option.text) : anyBox);
      const endpoint = requireEndpoint('maps/places', context.endpoints);
      const params = {
        query: options.query,
        ...searchParams(options),
        ...(options.demo === true ? { demo: true } : {}),
        ...(sources ? { sources } : {}),
      };
      // Rejects invalid words before any request.
      const { parseCallRequest } = await import('../../../../lib/call/call-request.js');
      parseCallRequest(endpoint, { ...params, ...first });
      const { areaOf } = await import('../cover/cover-area.js');
      const { runCoverCommand } = await import('../cover/run-cover.js');
      const { withBatchBucket } = await import('../bucket/batch-bucket.js');
      const demo = options.demo === true;
      await withBatchBucket(context, options, false, (batchOptions) => {
        const run = runOptionsOf(batchOptions);
        const lookup = { endpoint, demo, quiet: run.quiet, limitCredits: run.limitCredits };
        return runCoverCommand(
          context,
          {
            ...{ ...run, endpoint, params, outputFormat: kind, sources, all: true, flatten: true },
            defaults: demo ? { demo } : {},
            inputs: options.inputs === true,
          },
          (extractor, before) => areaOf(context, extractor, lookup, option, side, before),
          resumeCommand(command),
        );
      });
    });
}
