import { readFile } from 'node:fs/promises';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { MapsPlace } from '../../../../lib/platforms/maps/objects.js';
import { unreadableFile } from '../../../files/batch-files/read-inputs.js';
import { type Area, boxArea, parseArea } from '../../../files/cover/area.js';
import { boxAround, gridOf, parseBox } from '../../../files/cover/cells.js';
import type { CommandExtractor, Context } from '../context.js';
import { printable } from '../printable.js';
import { requireWithinLimit } from '../require-within-limit.js';
import { wrapText } from '../terminal-text.js';

/** How the command line names the area that is covered. */
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

/** An area, and the credits that it took to look it up. */
interface FoundArea {
  readonly area: Area;
  readonly spent: number;
}

/** The first place that a search for the name finds, which is said, as names are shared. */
async function placeNamed(
  { stderr, signal }: Context,
  extractor: CommandExtractor,
  { endpoint, demo, quiet, limitCredits }: Lookup,
  { name, metres }: Extract<AreaOption, { kind: 'around' }>,
): Promise<FoundArea> {
  requireWithinLimit(endpoint, demo, limitCredits);
  const asked = { query: name, limit: 1, ...(demo ? { demo } : {}) };
  const { json, meta } = await extractor.answer(endpoint, asked, { signal });
  const [found] = JSON.parse(json) as MapsPlace[];
  if (found === undefined || found.location === null) {
    throw new ExtractError(
      'invalid_parameter',
      `A search for ${JSON.stringify(name.slice(0, 80))} names no place with coordinates: --bbox gives the area in degrees.`,
    );
  }
  const { lat, lng } = found.location;
  const address = found.formatted_address === null ? '' : `, ${found.formatted_address}`;
  const text = printable(`Around ${found.name}${address} (${lat},${lng}), ${metres} m each way.`);
  if (!quiet) await stderr.write(`${await wrapText(text, stderr)}\n`);
  return { area: boxArea(boxAround(found.location, metres)), spent: meta.credits_charged };
}

async function namedArea(option: Exclude<AreaOption, { kind: 'around' }>): Promise<Area> {
  if (option.kind === 'box') return boxArea(parseBox(option.text));
  const text = await readFile(option.file, 'utf8').catch((cause: unknown) => {
    throw unreadableFile(option.file, cause);
  });
  return parseArea(text);
}

/** The area that was named, its first cells of this side, and the credits that it took to look it up. */
export async function areaOf(
  context: Context,
  extractor: CommandExtractor,
  lookup: Lookup,
  option: AreaOption,
  side: number,
) {
  const { area, spent } =
    option.kind === 'around'
      ? await placeNamed(context, extractor, lookup, option)
      : { area: await namedArea(option), spent: 0 };
  return { area, spent, cells: gridOf(area.box, side).filter(area.touches) };
}
