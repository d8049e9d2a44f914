import wrapAnsi from 'wrap-ansi';
import type { Endpoint } from '../../lib/endpoint.js';
import { objectName } from '../../src/faces/server/openapi/schemas.js';

const header =
  '# Written by `npm run generate` from the table of endpoints: change that, and not this file.\n';

/** Formats a module of the Python client: its docstring, imports and parts. */
export function moduleText(about: string, imports: readonly string[], parts: readonly string[]): string {
  const head = [header + docstring([about]), ...(imports.length === 0 ? [] : [imports.join('\n')])];
  return `${[...head, ...parts].join('\n\n').replace(/\n+(?=(?:class|def|@overload\nclass) )/g, '\n\n\n')}\n`;
}

/** `maps_place` → `MapsPlace`. */
export const className = (name: string) =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the class of an endpoint's answer, or of the items of its list. */
export const objectOf = ({ returns }: Endpoint) => className(objectName(returns));

const indented = (text: string, levels: number) => text.replace(/^(?=.)/gm, '    '.repeat(levels));

/** Formats paragraphs as a docstring. */
export function docstring(paragraphs: readonly string[], levels = 0): string {
  const text = paragraphs
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => wrapAnsi(paragraph, 105 - levels * 4))
    .join('\n\n')
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', '\\"""');
  const isLong = text.includes('\n\n');
  return indented(isLong ? `"""\n${text}\n"""` : `"""${text}"""`, levels);
}

/** `Literal["a", "b"]`. */
export const literal = (values: Iterable<string>) =>
  `Literal[${[...values].map((value) => JSON.stringify(value)).join(', ')}]`;

/** Wraps the parts of a list into lines. */
export const joinLines = (parts: readonly string[]) =>
  // Lines are not broken at a space within a part.
  `${indented(wrapAnsi(parts.map((part) => part.replaceAll(' ', '\u00a0')).join(', '), 110), 1)},`.replaceAll(
    '\u00a0',
    ' ',
  );

/** The same, over several lines if it is long. */
export const longLiteral = (values: Iterable<string>) => {
  const list = [...values].map((value) => JSON.stringify(value));
  const line = `Literal[${list.join(', ')}]`;
  return line.length <= 80 ? line : `Literal[\n${joinLines(list)}\n]`;
};

const keywords = new Set(['from', 'class', 'import', 'global', 'return', 'in', 'is', 'not', 'pass', 'with']);

/** True for a valid Python identifier. */
export const isName = (text: string) => /^[A-Za-z_]\w*$/.test(text) && !keywords.has(text);

/** Returns a valid Python identifier: `from` becomes `from_`. */
export const identifier = (name: string) => (keywords.has(name) ? `${name}_` : name);
