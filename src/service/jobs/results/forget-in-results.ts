import { createReadStream } from 'node:fs';
import { access, open, readFile, rm, writeFile } from 'node:fs/promises';
import { moveFile } from '../../../../lib/runtime/move-file.js';
import type { Traces } from '../../../../lib/suppressions/traces.js';
import { unfinishedName } from '../../../files/archive/archive-writer.js';
import { forgetInUnfinished } from '../../../files/archive/forget-in-archive.js';
import { BlockSums } from './block-sums.js';
import { forgottenLine } from './forgotten-line.js';
import type { ResultsFiles } from './results-files.js';
import { indexBytes } from './results-index.js';

/** The outcome for the results of jobs. */
export interface ForgottenResults {
  readonly lines: number;
  /** Records of archives. */
  readonly records: number;
  /** Jobs that a server still writes: whose lines name the subject, or whose archive may. */
  readonly running: readonly string[];
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

async function* linesOf(file: string): AsyncGenerator<Buffer, void, undefined> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let bytes = Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a)) {
      yield bytes.subarray(0, end + 1);
      bytes = bytes.subarray(end + 1);
    }
    rest = Buffer.from(bytes);
  }
}

/** Gives finished drafts their names. The index goes last: while its draft is there, the lines may be of either kind. */
async function publish(files: ResultsFiles, id: string): Promise<void> {
  const [lines, index] = [files.lines(id), files.index(id)];
  if (await isThere(`${lines}.forget`)) await moveFile(`${lines}.forget`, lines);
  if (await isThere(`${index}.forget`)) await moveFile(`${index}.forget`, index);
}

/** Takes a subject out of the lines of a finished job. Gives how many lines have changed. */
async function forgetInJob(files: ResultsFiles, id: string, traces: Traces): Promise<number> {
  const file = files.lines(id);
  const draft = `${file}.forget`;
  const index = `${files.index(id)}.forget`;
  // A forgetting that was killed had both drafts whole once the second one was there.
  if (await isThere(index)) await publish(files, id);
  const [ends, sums] = [[] as number[], new BlockSums()];
  let changed = 0;
  const handle = await open(draft, 'w', 0o600);
  try {
    for await (const line of linesOf(file)) {
      const forgotten = forgottenLine(line, traces);
      if (forgotten !== line) changed += 1;
      sums.add(forgotten);
      ends.push(sums.bytes);
      await handle.writeFile(forgotten);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (changed === 0) {
    await rm(draft);
    return 0;
  }
  await writeFile(`${index}.new`, indexBytes(ends, sums.values), { mode: 0o600, flush: true });
  await moveFile(`${index}.new`, index);
  await publish(files, id);
  return changed;
}

/**
 * Takes a subject out of the results of all jobs of a data directory, and removes the files that were made of them.
 * `countArchive` is told the bytes of each archive that nobody writes: a forgetting that was killed may not have said them.
 */
export async function forgetInResults(
  files: ResultsFiles,
  traces: Traces,
  countArchive: (id: string, bytes: number) => Promise<unknown>,
): Promise<ForgottenResults> {
  let [lines, records] = [0, 0];
  const running: string[] = [];
  for (const id of await files.ids()) {
    const archive = files.archive(id);
    const isArchived = await isThere(unfinishedName(archive));
    const gone = isArchived ? await forgetInUnfinished(archive, traces) : 0;
    if (gone === null) running.push(id);
    else if (isArchived) await countArchive(id, await files.size(unfinishedName(archive)));
    records += gone ?? 0;
    if (!(await isThere(files.lines(id)))) continue;
    const isWhole = (await isThere(files.index(id))) && !(await isThere(files.sums(id)));
    if (isWhole) lines += await forgetInJob(files, id, traces);
    else if (gone !== null && traces.in(await readFile(files.lines(id), 'utf8'))) running.push(id);
    await files.removeDownloads(id);
  }
  return { lines, records, running };
}
