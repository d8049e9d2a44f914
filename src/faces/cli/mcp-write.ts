import { ExtractError } from '../../../lib/errors/extract-error.js';
import { replaceFile, textOfFile } from './replace-file.js';

/** The outcome for a client's file. */
export interface Written {
  readonly file: string;
  /** Copy of the file as it was before; null where there was none. */
  readonly backup: string | null;
}

type Json = { [name: string]: unknown };

const refusal = (message: string) => new ExtractError('invalid_parameter', message);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The settings with the entry in its section; what else is there stays. Throws for what is no plain JSON object. */
function mergedJson(before: string, entry: string, file: string): string {
  let settings: unknown = {};
  try {
    if (before.trim() !== '') settings = JSON.parse(before);
  } catch (cause) {
    throw new ExtractError(
      'invalid_parameter',
      `${file} is no plain JSON (it may hold comments). Put the entry in yourself: leave --write out to see it.`,
      { cause },
    );
  }
  if (!isObject(settings)) throw refusal(`${file} does not hold a JSON object.`);
  for (const [section, added] of Object.entries(JSON.parse(entry) as Json)) {
    const there = settings[section] ?? {};
    if (!isObject(there)) throw refusal(`${file} holds something else under ${section}.`);
    settings[section] = { ...there, ...(added as Json) };
  }
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** The settings with the entry's TOML table in the place of the one of its name, or at the end. */
function mergedToml(before: string, entry: string): string {
  const [head = ''] = entry.split('\n', 1);
  const lines = before.split('\n');
  const from = lines.findIndex((line) => line.trim() === head);
  if (from < 0) return `${before.trimEnd()}${before.trim() === '' ? '' : '\n\n'}${entry}`;
  const own = `${head.slice(0, -1)}.`;
  // Tables below it belong to it.
  const length = lines
    .slice(from + 1)
    .findIndex((line) => /^\s*\[/.test(line) && !line.trim().startsWith(own));
  const rest = length < 0 ? [] : lines.slice(from + 1 + length);
  return [...lines.slice(0, from), entry, ...rest].join('\n');
}

/**
 * Puts an entry into a client's file of settings and keeps a copy of the file as it was. Rejects `invalid_parameter`,
 * with nothing changed, for a file that cannot be read as what it should be.
 */
export async function writeEntry(file: string, entry: string): Promise<Written> {
  const before = await textOfFile(file);
  const text = file.endsWith('.toml')
    ? mergedToml(before ?? '', entry)
    : mergedJson(before ?? '', entry, file);
  return { file, backup: await replaceFile(file, text, before !== null) };
}
