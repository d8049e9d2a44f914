import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { moveFile } from '../../../lib/runtime/move-file.js';
import type { Traces } from '../../../lib/suppressions/traces.js';
import { jsonOf } from '../../output/json-text.js';
import { textLines } from '../result-files/answer-lines.js';
import { fieldsWithout, lineWithout } from '../result-files/line-without.js';

/** A whole cell in quotes. A quote that does not begin its cell is a character like others. */
const quotedCell = /(^|[,;\t])"[^"]*(?:""[^"]*)*"(?=[,;\t]|\r?$)/g;

/** Whether a table goes on within a cell behind a line, which began within one or not. */
function isOpenBehind(line: string, isOpen: boolean): boolean {
  const unquoted = (isOpen ? `"${line}` : line).replaceAll(quotedCell, '$1');
  return /(?:^|[,;\t])"/.test(unquoted);
}

/** A table whose last quote is never closed: nobody can tell its rows apart. */
class OpenQuote extends Error {
  /** The lines from the one with the quote on. */
  readonly rest: string;

  constructor(rest: string) {
    super('A quote is never closed.');
    this.rest = rest;
  }
}

/** The bytes of a file, with a line feed behind its last line in any case. */
async function* endedLines(file: string): AsyncGenerator<Buffer, void, undefined> {
  let last = 0x0a;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    last = chunk.at(-1) ?? last;
    yield chunk;
  }
  if (last !== 0x0a) yield Buffer.from('\n');
}

/** Records of a file: lines, and those of a table with the line breaks in its quotes. Throws `OpenQuote`. */
async function* recordsOf(file: string, isTable: boolean): AsyncGenerator<string, void, undefined> {
  let begun: string[] = [];
  for await (const lines of textLines(endedLines(file))) {
    for (const line of lines) {
      const isOpen = isTable && isOpenBehind(line, begun.length > 0);
      begun.push(line);
      if (isOpen) continue;
      yield begun.join('\n');
      begun = [];
    }
  }
  if (begun.length > 0) throw new OpenQuote(begun.join('\n'));
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
    await handle.close();
    if (changed > 0) await moveFile(draft, file);
    return changed;
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
}

/** Takes a subject out of lines of JSON: an item out of its list, or the line. Gives how many lines have changed. */
export const forgetInLines = (file: string, traces: Traces) =>
  rewrite(file, false, (line) => lineWithout(line, traces));

/**
 * Takes the rows that name a subject out of a table in text, and leaves its heading. Null where nobody can tell its rows
 * apart.
 */
export async function forgetInTable(file: string, traces: Traces): Promise<number | null> {
  let isHeading = true;
  let isNamed = false;
  try {
    return await rewrite(file, true, (row) => {
      const isKept = isHeading || !traces.in(row);
      isHeading = false;
      isNamed ||= !isKept;
      return isKept ? row : null;
    });
  } catch (cause) {
    if (!(cause instanceof OpenQuote)) throw cause;
    return isNamed || traces.in(cause.rest) ? null : 0;
  }
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
