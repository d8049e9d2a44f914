import { fillWords, type RouteRow } from '../../output/route-rows.js';
import type { OutputStream } from './context.js';
import { colorText, wrapText } from './terminal-text.js';

/** Columns before the fields of a route. */
const indent = 12;

const plain = (field: string) => field;

/** Formats the routes of an endpoint for people: what each reads and fills, and when it last worked. */
export async function routeLines(
  rows: readonly RouteRow[],
  stdout: OutputStream,
  color: boolean,
): Promise<string> {
  const width = Math.max(...rows.map(({ route }) => route.length));
  const texts = rows.map(async (row) => {
    const { route, role, reads, last_seen, from } = row;
    const { inFull, inPart, never } = fillWords(row, plain);
    const where = from.length === 0 ? '' : ` from ${from.join(' and ')}`;
    const lines = [
      ['', reads],
      ['in full', inFull],
      ['in part', inPart],
      ['never', never],
    ] as const;
    const below = lines.map(async ([name, text]) =>
      text === ''
        ? ''
        : `  ${colorText('dim', name.padEnd(indent - 2), color)}${await wrapText(text, stdout, indent)}\n`,
    );
    const head = `${colorText('bold', route.padEnd(width), color)}  ${role}, last seen ${last_seen}${where}\n`;
    return head + (await Promise.all(below)).join('');
  });
  return (await Promise.all(texts)).join('');
}
