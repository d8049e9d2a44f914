import { readFile } from 'node:fs/promises';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { LookedUp } from '../../../files/batch-files/looked-up.js';
import { unreadableFile } from '../../../files/batch-files/read-inputs.js';
import { type Area, boxArea, parseArea } from '../../../files/cover/area.js';
import { boxAround, gridOf, parseBox } from '../../../files/cover/cells.js';
import type { CommandExtractor, Context } from '../context.js';
import { printable } from '../printable.js';
import { wrapText } from '../terminal-text.js';
import { lookUpPlace } from './map-searches.js';

export type AreaOption =
  | { readonly kind: 'box'; readonly text: string }
  | { readonly kind: 'polygon'; readonly file: string }
  | { readonly kind: 'around'; readonly name: string; readonly metres: number };

interface Lookup {
  readonly endpoint: Endpoint;
  readonly demo: boolean;
  readonly quiet: boolean;
  readonly limitCredits: number | undefined;
}

/** Returns the place from the resumed run or a look-up, and reports which one, because names are ambiguous. */
async function lookUp(
  context: Context,
  extractor: CommandExtractor,
  lookup: Lookup,
  { name, metres }: Extract<AreaOption, { kind: 'around' }>,
  before: LookedUp | undefined,
): Promise<LookedUp> {
  if (before !== undefined && before.asked !== name) {
    throw new ExtractError(
      'invalid_parameter',
      `The batch was started around ${JSON.stringify(before.asked)}. Use the same place to resume it.`,
    );
  }
  const call = {
    ...{ ...lookup, words: name, params: { query: name, limit: 1 } },
    fault: () =>
      `A search for ${JSON.stringify(name.slice(0, 80))} found no place with coordinates: set the area in degrees with --bbox.`,
  };
  const place = before ?? (await lookUpPlace(extractor, call, context.signal));
  const { formatted_address, location } = place.place;
  const address = formatted_address === null ? '' : `, ${formatted_address}`;
  const where = `(${location.lat},${location.lng}), ${metres} m each way.`;
  const text = printable(`Around ${place.place.name}${address} ${where}`);
  const { stderr } = context;
  if (!lookup.quiet) await stderr.write(`${await wrapText(text, stderr)}\n`);
  return place;
}

async function namedArea(option: Exclude<AreaOption, { kind: 'around' }>): Promise<Area> {
  if (option.kind === 'box') return boxArea(parseBox(option.text));
  const text = await readFile(option.file, 'utf8').catch((cause: unknown) => {
    throw unreadableFile(option.file, cause);
  });
  return parseArea(text);
}

/** Returns the area, its first cells of this size, and the look-up, which an earlier run may provide. */
export async function areaOf(
  context: Context,
  extractor: CommandExtractor,
  lookup: Lookup,
  option: AreaOption,
  side: number,
  before: LookedUp | undefined,
) {
  const cellsOf = (area: Area) => ({ area, cells: gridOf(area.box, side).filter(area.touches) });
  if (option.kind !== 'around') return { ...cellsOf(await namedArea(option)), lookedUp: undefined };
  const place = await lookUp(context, extractor, lookup, option, before);
  return { ...cellsOf(boxArea(boxAround(place.place.location, option.metres))), lookedUp: place };
}
