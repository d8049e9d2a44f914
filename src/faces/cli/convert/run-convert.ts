import { stat } from 'node:fs/promises';
import { batchId } from '../../../../lib/batch/batch.js';
import { isoTime } from '../../../../lib/read/iso-time.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { openFault, outputFault } from '../../../files/batch-files/output-fault.js';
import { endingsOf, isBuilt, kindOfName, outputKinds } from '../../../files/result-files/file-kind.js';
import { collectParams } from '../../../files/result-files/input-columns.js';
import { countRuns, openDraft } from '../../../files/result-files/write-file.js';
import { openSteps } from '../../../lines/run-steps.js';
import { quantity } from '../../../output/number-text.js';
import type { WrittenFile } from '../bucket/object-file.js';
import { type Context, configOf } from '../context.js';
import { endpointOf } from '../media-command.js';
import { csvStyleOf, type Options } from '../output.js';
import { outputKindOf } from '../output-kind.js';
import { printable } from '../printable.js';
import { checkReplaceable } from '../replaceable-file.js';
import { requestedSteps, stepValuesOf } from '../step-options.js';
import { stepPorts } from '../step-ports.js';
import { UsageError } from '../usage-error.js';
import { openResults } from './open-results.js';
import { steppedAnswers } from './stepped-answers.js';

const inode = (file: string) =>
  stat(file).then(
    (about) => (about.isFile() ? `${about.dev}:${about.ino}` : null),
    () => null,
  );

async function noFile(file: string): Promise<UsageError> {
  const stats = await stat(file).catch(() => null);
  return new UsageError(
    'invalid_parameter',
    stats?.isDirectory() === true
      ? `${file} is a folder: choose a file in it.`
      : `${stats === null ? `No such file: ${file}` : `${file} is a device or a pipe.`}`,
  );
}

/** Throws if a database contains more than the lines next to it: its rows do not say which lists are unknown. */
async function checkOneRun(file: string, lines: string): Promise<void> {
  if ((await inode(file)) === null) return;
  const runs = await countRuns(file);
  if (runs < 2) return;
  throw new UsageError(
    'invalid_parameter',
    `${file} contains ${runs} runs, but the lines next to it are of the last run only. Convert ${lines} for that run, or query the database for all.`,
  );
}

/** Returns the file to read: the lines that a table was built from, if they are next to it. */
async function readableFile(file: string): Promise<string> {
  const kind = kindOfName(file);
  if (kind === null) {
    const endings = endingsOf(outputKinds).join(', ');
    throw new UsageError('invalid_parameter', `Cannot read ${file}. Supported extensions: ${endings}.`);
  }
  const lines = `${file}.ndjson`;
  if (isBuilt(kind) && kind !== 'json' && (await inode(lines)) !== null) {
    if (kind === 'sqlite') await checkOneRun(file, lines);
    return lines;
  }
  if ((await inode(file)) === null) throw await noFile(file);
  if (kind !== 'sqlite') return file;
  throw new UsageError(
    'invalid_parameter',
    `${file} is a database without the lines it was built from (${lines}), and its rows do not tell unknown lists from empty ones. Convert the NDJSON or JSON of the same results, or query the database.`,
  );
}

/** Converts a file of results to another format. A failure leaves no partial file. Throws the signal's reason. */
export async function runConvert(
  context: Context,
  file: string,
  { file: output, displayName }: WrittenFile,
  options: Options,
): Promise<void> {
  const { signal, stderr } = context;
  const kind = outputKindOf(output);
  const csv = csvStyleOf(options, kind);
  const lines = await readableFile(file);
  const there = await inode(output);
  if (there !== null && [await inode(file), await inode(lines)].includes(there)) {
    throw new UsageError('conflicting_parameters', `${output} is also the input: choose another name.`);
  }
  await checkReplaceable(output, options.overwrite === true);
  const endpoint = await endpointOf(context, lines, options.endpoint as string | undefined);
  const requested = await requestedSteps(stepValuesOf(options), {
    ...{ kind: 'convert', endpoint, all: false },
    output: { file: output, kind, append: false },
  });
  const config = await configOf(context);
  const { shape, isTable, answers: all } = await openResults(lines, endpoint, signal);
  const ports = stepPorts(context, { config }, { endpoint, file: null, output: displayName, demo: false });
  let notes: readonly string[] = [];
  async function* answers() {
    const steps = await openSteps(requested, ports, { sources: true });
    try {
      yield* steppedAnswers(all(), endpoint, steps);
      notes = steps.summary();
    } finally {
      await steps.close();
    }
  }
  // Tables have no column for an author's ID and page.
  const cannotSay = isTable && shape.sources && (kind === 'ndjson' || kind === 'json');
  // A table needs the input's number for each item of a list.
  const isSplit = shape.inputs && endpoint.many && kind !== 'ndjson' && kind !== 'json';
  const sources = (shape.sources || isSplit) && options.sources !== false && !cannotSay;
  const usedParams = kind === 'xlsx' && shape.inputs ? await collectParams(answers()) : undefined;
  const { writer, commit, discard } = await openDraft({
    ...{ endpoint, kind, file: output, csv, ...shape, usedParams },
    sources,
    run: { id: batchId(), at: isoTime(systemClock.now()) },
  }).catch((cause: unknown) => {
    throw openFault(output, cause);
  });
  let [items, failed] = [0, 0];
  try {
    for await (const read of answers()) {
      const { sources: itemSources, ...answer } = read;
      items += answer.items.length;
      failed += answer.error === null ? 0 : 1;
      const wait = writer.add(sources ? { ...answer, sources: itemSources } : answer);
      if (wait !== undefined) await wait;
    }
  } catch (error) {
    await discard();
    throw outputFault(error);
  }
  await commit().catch((cause: unknown) => {
    throw outputFault(cause);
  });
  const errors = failed === 0 ? '' : ` and ${quantity(failed, 'failed input')}`;
  const note = [
    cannotSay ? ' Sources are omitted, because a table only has parts of them.' : '',
    ...notes.map((note) => ` ${note}`),
  ].join('');
  if (options.quiet !== true)
    await stderr.write(
      `${printable(displayName)}: ${quantity(items, 'item')}${errors} of ${endpoint.path}.${note}\n`,
    );
}
