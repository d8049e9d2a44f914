import { ExtractError } from '../../../lib/errors/extract-error.js';
import { isRecord } from '../../../lib/read/json.js';
import { jsonOf } from '../../output/json-text.js';
import { replaceFile, textOfFile } from './replace-file.js';

const refusal = (message: string) => new ExtractError('invalid_parameter', message);

/** Returns the settings with the entry, keeping the rest. Throws if they are not a plain JSON object. */
function mergedJson(before: string, entry: string, file: string): string {
  const settings = before.trim() === '' ? {} : jsonOf(before);
  if (settings === undefined) {
    throw refusal(
      `${file} is not plain JSON (it may contain comments). Add the entry yourself: omit --write to see it.`,
    );
  }
  if (!isRecord(settings)) throw refusal(`${file} does not contain a JSON object.`);
  const sections = Object.entries(JSON.parse(entry) as Readonly<Record<string, object>>);
  const merged = sections.map(([section, added]) => {
    const there = settings[section] ?? {};
    if (!isRecord(there)) throw refusal(`${file} has another entry under ${section}.`);
    return [section, { ...there, ...added }];
  });
  return `${JSON.stringify({ ...settings, ...Object.fromEntries(merged) }, null, 2)}\n`;
}

/** Replaces the entry's TOML table, or appends it. */
function mergedToml(before: string, entry: string): string {
  const [head = ''] = entry.split('\n', 1);
  const lines = before.split('\n');
  const from = lines.findIndex((line) => line.trim() === head);
  if (from < 0) return `${before.trimEnd()}${before.trim() === '' ? '' : '\n\n'}${entry}`;
  const subtablePrefix = `${head.slice(0, -1)}.`;
  // Including its subtables.
  const length = lines
    .slice(from + 1)
    .findIndex((line) => /^\s*\[/.test(line) && !line.trim().startsWith(subtablePrefix));
  const rest = length < 0 ? [] : lines.slice(from + 1 + length);
  return [...lines.slice(0, from), entry, ...rest].join('\n');
}

/**
 * Adds an entry to a client's settings and keeps a copy of the original. Resolves with the name of the copy; null if
 * there was no file. Rejects with `invalid_parameter`, with nothing changed, if the file cannot be parsed.
 */
export async function writeEntry(file: string, entry: string): Promise<string | null> {
  const before = await textOfFile(file);
  const text = file.endsWith('.toml')
    ? mergedToml(before ?? '', entry)
    : mergedJson(before ?? '', entry, file);
  return replaceFile(file, text, before !== null);
}
