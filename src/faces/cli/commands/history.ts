import type { Command } from 'commander';
import * as z from 'zod';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { changeRow, changeRows } from '../../../files/history/change-rows.js';
import { chooseSeries, type NamedSeries } from '../../../files/history/choose-series.js';
import { growthTexts, measuresOf, sparkline } from '../../../files/history/growth.js';
import { growthRows, growthSchema } from '../../../files/history/growth-rows.js';
import type { Context } from '../context.js';
import { writeAnswer } from '../deliver.js';
import { answerFileOf, fileWriter } from '../formats/file.js';
import { readHistory } from '../history/history-file.js';
import { subjectsOf, timeOf } from '../history/subjects.js';
import { addListOptions, isForPeople, type Options, outputOf, selectionOf } from '../output.js';
import { checkReplaceable } from '../replaceable-file.js';
import { UsageError } from '../usage-error.js';
import { writeAtomically } from '../write-atomically.js';

const introduction = [
  'Show what changed over time, from a database that --history wrote.',
  'On a terminal and in a pipe, shows each subject with its current value, its growth in a day and in a week, and a sparkline. The default value of an object is its main count, and of a list its number of items; --field selects another. CSV, JSON and NDJSON have every change: the field with its old and new value, and which items were new, removed or returned.',
].join('\n\n');

const afterword = `
Examples:
  extract history accounts.sqlite
  extract history accounts.sqlite nasa --field media_count --since 4w
  extract history accounts.sqlite --since 2026-11-01 --format csv > changes.csv
  extract history accounts.sqlite --plot followers.html
  extract history accounts.sqlite -o growth.xlsx`;

const overview = z.strictObject({
  name: z.string(),
  now: z.string().nullable(),
  day: z.string().nullable(),
  week: z.string().nullable(),
  trend: z.string().nullable(),
  field: z.string(),
  since: z.iso.datetime().nullable(),
});

const sparkWidth = 16;

/** Converts a series to a table row: current value, growth, and sparkline. */
function overviewRow(series: NamedSeries) {
  const measures = measuresOf(series);
  return {
    name: series.name,
    ...growthTexts(measures),
    trend: sparkline(measures, sparkWidth) || null,
    field: series.field,
    since: series.points[0]?.at ?? null,
  };
}

function plotKindOf(file: string): 'svg' | 'html' {
  const ending = /\.(\w+)$/.exec(file.toLowerCase())?.[1];
  if (ending === 'svg' || ending === 'html') return ending;
  throw new UsageError('invalid_parameter', `Cannot write ${file}: a chart is .svg or .html.`);
}

/** `extract history FILE`: shows changes over time. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<file>', 'the database that --history named')
    .argument('[subject]', 'what was requested, such as nasa; everything by default')
    .optionsGroup('Choice:')
    .option('--field <name>', 'Only this field, such as followers_count')
    .option('--since <time>', 'Since this time: 2026-11-01, or 36h, 7d, 4w ago')
    .option('--plot <file>', 'Draw a line chart into this new file: .svg or .html')
    .option(
      '-o, --output <file>',
      'Write the growth of each subject to this file: .xlsx, .csv, .json, .ndjson, .parquet',
    )
    .option('--overwrite', 'Replace the file if it exists');
  addListOptions(command)
    .addHelpText('after', afterword)
    .action(async (file: string, subject: string | undefined) => {
      const options = command.opts<Options>();
      const output = outputOf(options, context);
      const isTable = isForPeople(output);
      const field = options.field as string | undefined;
      const since =
        options.since === undefined ? undefined : timeOf(String(options.since), systemClock.now());
      const table = options.output === undefined ? null : await answerFileOf(options);
      if (table !== null && options.plot !== undefined)
        throw new UsageError('conflicting_parameters', 'Give either --plot or -o, not both.');
      if (table?.kind === 'sqlite')
        throw new UsageError(
          'invalid_parameter',
          'The history is already a database. Use an .xlsx, .csv or .parquet file for -o.',
        );
      const plot = options.plot as string | undefined;
      const kind = plot === undefined ? null : plotKindOf(plot);
      if (plot !== undefined) await checkReplaceable(plot, options.overwrite === true);
      await readHistory(file, async (history) => {
        const subjects = subjectsOf(await history.subjects(), subject);
        const choice = { subjects, field, since };
        if (plot !== undefined) {
          const series = await chooseSeries(history, context.endpoints, choice);
          const { plotPage, plotSvg } = await import('../../../files/history/plot/plot.js');
          const fields = [...new Set(series.map((one) => one.field))].join(', ');
          const title = subject === undefined ? fields : `${subject}: ${fields}`;
          await writeAtomically(plot, [(kind === 'svg' ? plotSvg : plotPage)({ title, series })]);
          return;
        }
        if (table !== null) {
          // The part of an endpoint that a file writer uses.
          const returns = growthSchema(subjects);
          const endpoint = { path: 'history/growth', many: true, params: {}, returns } as unknown as Endpoint;
          const content = { endpoint, selection: selectionOf(returns, true, output), csv: output.csv };
          const data = growthRows(await chooseSeries(history, context.endpoints, choice), subjects);
          const writer = await fileWriter(table, { ...content, sources: false });
          await writer.add({ data });
          await writer.end(true);
          return;
        }
        const selection = selectionOf(isTable ? overview : changeRow, true, output);
        async function* rows() {
          if (isTable) {
            const series = await chooseSeries(history, context.endpoints, choice);
            yield { data: series.map(overviewRow) };
            return;
          }
          const numbers = subject === undefined ? undefined : subjects.map(({ number }) => number);
          for await (const data of changeRows(history, { since, field, subjects: numbers })) yield { data };
        }
        await writeAnswer(context, output, selection, rows());
      });
    });
}
