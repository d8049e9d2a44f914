import type { Literal } from './properties.js';

export const header =
  '// Written by `npm run generate` from the tables of endpoints and steps: change those, and not this file.\n';

const maxLine = 140;

/** Joins parts between brackets, on one line if short enough. */
function bracketed(
  [open, close]: readonly [string, string],
  parts: readonly string[],
  depth: number,
): string {
  if (parts.length === 0) return open + close;
  const space = open === '{' ? ' ' : '';
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (line.length + depth * 4 <= maxLine && !line.includes('\n')) return line;
  const inner = '\t'.repeat(depth + 1);
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${'\t'.repeat(depth)}${close}`;
}

/** Formats a value as TypeScript. */
export function source(value: Literal, depth = 0): string {
  if (typeof value === 'string' && value.startsWith(placeholder)) return value.slice(placeholder.length);
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) {
    const items = (value as readonly Literal[]).map((item) => source(item, depth + 1));
    return bracketed(['[', ']'], items, depth);
  }
  const entries = Object.entries(value).map(([name, item]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
    return `${key}: ${source(item, depth + 1)}`;
  });
  return bracketed(['{', '}'], entries, depth);
}

/** Precedes the name of something in another module. */
export const placeholder = '()';
