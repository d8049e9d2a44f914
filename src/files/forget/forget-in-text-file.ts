import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { moveFile } from '../../../lib/runtime/move-file.js';
import type { Traces } from '../../../lib/suppressions/traces.js';
import { jsonOf } from '../../output/json-text.js';
import { textLines } from '../result-files/answer-lines.js';
import { fieldsWithout, lineWithout } from '../result-files/line-without.js';

const isOpenQuote = (record: string) => (record.match(/"/g)?.length ?? 0) % 2 === 1;

/** The bytes of a file, with a line feed behind its last line in any case. */
async function* endedLines(file: string): AsyncGenerator<Buffer, void, undefined> {
  let last = 0x0a;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    last = chunk.at(-1) ?? last;
    yield chunk;
  }
  if (last !== 0x0a) yield Buffer.from('\n');
}

/** Records of a file: lines, and those of a table with the line breaks in its quotes. */
async function* recordsOf(file: string, isTable: boolean): AsyncGenerator<string, void, undefined> {
  let begun = '';
  for await (const lines of textLines(endedLines(file))) {
    for (const line of lines) {
      const record = begun === '' ? line : `${begun}\n${line}`;
      begun = isTable && isOpenQuote(record) ? record : '';
      if (begun === '') yield record;
    }
  }
  if (begun !== '') yield begun;
}

/** Writes a file anew by its records; `keep` gives what stays of one. The file is the old or the new one, never half. */
async function rewrite(
  file: string,
  isTable: boolean,
  keep: (record: string) => string | null,
): Promise<number> {
  const draft = `${file}.forget`;
  const handle = await open(draft, 'w', (await stat(file)).mode & 0o777);
  let changed = 0;
  try {
    for await (const record of recordsOf(file, isTable)) {
      const remaining = keep(record);
      if (remaining !== record) changed += 1;
      if (remaining !== null) await handle.write(`${remaining}\n`);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (changed === 0) await rm(draft);
  else await moveFile(draft, file);
  return changed;
}

/** Takes a subject out of lines of JSON: an item out of its list, or the line. Gives how many lines have changed. */
export const forgetInLines = (file: string, traces: Traces) =>
  rewrite(file, false, (line) => lineWithout(line, traces));

/** Takes the rows that name a subject out of a table in text, and leaves its heading. */
export function forgetInTable(file: string, traces: Traces): Promise<number> {
  let isHeading = true;
  return rewrite(file, true, (row) => {
    const isKept = isHeading || !traces.in(row);
    isHeading = false;
    return isKept ? row : null;
  });
}

/**
 * Takes a subject out of the text of a JSON file: an answer, or a list of lines or items. Null where nothing would be left,
 * undefined for a text that is no JSON.
 */
export function jsonWithout(text: string, traces: Traces): string | null | undefined {
  const value = jsonOf(text);
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    const rest = fieldsWithout(value as Readonly<Record<string, unknown>>, traces);
    return rest === null ? null : `${JSON.stringify(rest, null, 2)}\n`;
  }
  const remaining = value.flatMap((item: unknown) => {
    const line = lineWithout(JSON.stringify(item), traces);
    return line === null ? [] : [JSON.parse(line) as unknown];
  });
  return `${JSON.stringify(remaining, null, 2)}\n`;
}
