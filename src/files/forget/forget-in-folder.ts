import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { moveFile } from '../../../lib/runtime/move-file.js';
import type { Traces } from '../../../lib/suppressions/traces.js';
import { jsonOf } from '../../output/json-text.js';

/** Files of a folder whose lines name the other files in it: those of saved pages, and of pictures and videos. */
export const folderIndexes: ReadonlySet<string> = new Set(['pages.ndjson', 'manifest.ndjson']);

interface IndexLine {
  readonly file?: string;
  readonly text?: { readonly file?: string };
}

/** Bytes of a file that are searched at most: pages are texts, and videos are not. */
const maxText = 64 * 1024 * 1024;

const filesOf = ({ file, text }: IndexLine): readonly string[] =>
  [file, text?.file].filter((one): one is string => typeof one === 'string');

async function namedIn(folder: string, name: string, traces: Traces): Promise<boolean> {
  if (!/\.(?:html|json|js|xml|txt|vtt|bin)$/.test(name)) return false;
  const file = path.join(folder, path.basename(name));
  const size = (await stat(file).catch(() => null))?.size ?? maxText + 1;
  return size <= maxText && traces.in(await readFile(file, 'utf8'));
}

/**
 * Takes a subject out of a folder by its index: the lines that name it, or whose text does, go with their files. Gives how
 * many lines they were.
 */
export async function forgetInFolder(index: string, traces: Traces): Promise<number> {
  const folder = path.dirname(index);
  const lines = (await readFile(index, 'utf8')).split('\n').filter((line) => line !== '');
  const remaining: string[] = [];
  const gone = new Set<string>();
  const stay = new Set<string>();
  for (const line of lines) {
    const files = filesOf((jsonOf(line) ?? {}) as IndexLine);
    let isNamed = traces.in(line);
    for (const file of files) isNamed ||= await namedIn(folder, file, traces);
    if (!isNamed) remaining.push(line);
    for (const file of files) (isNamed ? gone : stay).add(path.basename(file));
  }
  const removed = lines.length - remaining.length;
  if (removed === 0) return 0;
  // The files first: who is killed in between finds the lines again.
  for (const file of gone) if (!stay.has(file)) await rm(path.join(folder, file), { force: true });
  await writeFile(`${index}.forget`, remaining.map((line) => `${line}\n`).join(''), { flush: true });
  await moveFile(`${index}.forget`, index);
  return removed;
}
