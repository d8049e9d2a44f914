import { ExtractError } from '../../../lib/errors/extract-error.js';
import { isPlaceName } from '../../../lib/platforms/maps/urls.js';
import type { CommandExtractor, Context } from './context.js';
import { UsageError } from './usage-error.js';

type Params = Readonly<Record<string, unknown>>;

interface FoundPlace {
  readonly place_id: string;
  readonly name: string;
  readonly formatted_address: string | null;
}

const maxListed = 5;

const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

const lineOf = ({ place_id, name, formatted_address: address }: FoundPlace) =>
  `${place_id}  ${name}${address === null ? '' : `, ${address}`}`;

/** Returns the only place found, or the only exact match; in a demo, the first. */
function meantOf(places: readonly FoundPlace[], name: string, demo: boolean): FoundPlace | undefined {
  if (places.length === 1 || demo) return places[0];
  const same = places.filter((one) => folded(one.name) === folded(name));
  return same.length === 1 ? same[0] : undefined;
}

/**
 * Replaces a name in `place_id` by the ID of the place, which costs a search; also returns a note about it. Throws
 * `place_not_found`, or lists the places if there are several.
 */
export async function withPlaceId(
  { endpoints, signal }: Context,
  extractor: CommandExtractor,
  params: Params,
): Promise<{ readonly params: Params; readonly note: string | null }> {
  const { place_id: name, demo, fresh } = params;
  const search = endpoints.find(({ path }) => path === 'maps/places');
  if (typeof name !== 'string' || !isPlaceName(name) || search === undefined) return { params, note: null };
  const request = {
    query: name,
    ...(demo === undefined ? {} : { demo }),
    ...(fresh === undefined ? {} : { fresh }),
  };
  const { json } = await extractor.answer(search, request, { signal, texts: true });
  const places = JSON.parse(json) as readonly FoundPlace[];
  if (places.length === 0)
    throw new ExtractError('place_not_found', `Google Maps found no place for ${JSON.stringify(name)}.`, {
      next: 'Check the spelling, or add the town.',
    });
  const meant = meantOf(places, name, demo === true);
  if (meant !== undefined) {
    const { place_id } = meant;
    const note =
      demo === true ? `${place_id}  a sample, which is not ${JSON.stringify(name)}` : lineOf(meant);
    return { params: { ...params, place_id }, note };
  }
  throw new UsageError(
    'invalid_parameter',
    `Several places match ${JSON.stringify(name)}: add the town, or use an ID.`,
    places.slice(0, maxListed).map(lineOf).join('\n'),
  );
}
