import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Endpoint } from '../../../lib/endpoint.js';
import { isoTime } from '../../../lib/read/iso-time.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { BuiltKind } from '../result-files/file-kind.js';
import type { ResultFileShape } from '../result-files/result-file.js';
import { forgetRun, hasRun, writeFromLines } from '../result-files/write-file.js';
import { removeAddedLines } from './appended-output.js';
import { batchPaths } from './batch-paths.js';
import { completeFile } from './built-file.js';
import type { BuiltFile } from './run-sink.js';

/** A workbook, a database, or another kind of file built from the lines of a batch. */
export interface ResultOutput extends Pick<ResultFileShape, 'sources' | 'ownColumns' | 'onlyNew'> {
  readonly kind: BuiltKind;
  readonly file: string;
  /** The file of its lines, if it is not named after the output. */
  readonly lines?: string | undefined;
  /** Appends to the existing database, in one transaction. */
  readonly append: boolean;
  readonly endpoint: Endpoint;
}

/** Returns the results file built from a batch's lines. */
export function resultFile(output: ResultOutput, clock: Clock): BuiltFile {
  const { file, append, lines = `${file}.ndjson` } = output;
  const readLines = () => createReadStream(batchPaths(lines).output, { highWaterMark: 64 * 1024 });
  const make: BuiltFile['make'] = (id, signal) => {
    const run = { id, at: isoTime(clock.now()) };
    return writeFromLines({ ...output, inputs: true, run }, readLines, signal);
  };
  if (!append) return completeFile({ file, lines, make });
  return {
    ...{ file, lines, make, adds: true, isRemoved: output.lines !== undefined },
    has: (id) => hasRun(file, id),
    withdraw: (id) => forgetRun(file, id),
  };
}

/** Removes the lines of a finished run that its output contains, so that the next run starts its own. */
export async function removeLines(file: string): Promise<void> {
  const { output, checkpoint } = batchPaths(`${file}.ndjson`);
  await rm(output, { force: true });
  await rm(checkpoint, { force: true });
  await removeAddedLines(file);
}
