import { hash } from 'node:crypto';
import { type Json, listAt, valueAt } from '../../read/json.js';
import { sampleMark } from '../../read/sample-mark.js';
import type { Page, PageSource } from '../../web/page-source.js';
import { placeIdOf } from './ids.js';
import { place as paths, searchQuery, searchRows } from './paths.js';
import { type Camera, searchPage, searchRequest } from './requests.js';
import { guard, rootOf } from './response-frame.js';

/** Approximate metres per degree of latitude. */
const degree = 111_195;
/** Side of the squares that divide the earth, in degrees: about 300 metres. One in seven has a place. */
const side = 0.003;
const density = 0.15;
/** Squares examined on each side of the centre, and the maximum places per search. */
const reach = 16;
const maxPlaces = 60;
/** Default area of a search: around the sample's own town. */
const home: Camera = { lat: 47.0707, lng: 15.4377, radius: 5000 };

interface TownPlace {
  readonly lat: number;
  readonly lng: number;
  /** Sixteen pseudo-random bytes, the same for equal words. */
  readonly chance: Buffer;
  /** Apparent distance: well-known places seem nearer. */
  readonly rank: number;
}

/** Returns the subject of a search, without the town: “dentist in Graz” → “Dentist”. */
function tradeOf(query: string): string {
  const words = query.replace(/(?<!\s)\s+(?:in|near|around|at)\s[\s\S]*/i, '');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function placeIn(trade: string, row: number, column: number, { lat, lng }: Camera): TownPlace | null {
  const chance = hash('sha256', `${trade.toLowerCase()} ${row} ${column}`, 'buffer').subarray(0, 16);
  const part = (at: number) => chance.readUInt16BE(at) / 65_536;
  if (part(0) >= density) return null;
  const point = {
    lat: Math.round((row + part(2)) * side * 1e7) / 1e7,
    lng: Math.round((column + part(4)) * side * 1e7) / 1e7,
  };
  const north = (point.lat - lat) * degree;
  const east = (point.lng - lng) * degree * Math.cos((lat * Math.PI) / 180);
  return { ...point, chance, rank: Math.hypot(north, east) * (0.4 + part(6)) };
}

/** Returns the places in the squares around a search's centre, nearest and best known first. */
function placesAround(trade: string, camera: Camera): TownPlace[] {
  const row = Math.floor(camera.lat / side);
  const column = Math.floor(camera.lng / side);
  const steps = Array.from({ length: 2 * reach + 1 }, (_, at) => at - reach);
  const within = (place: TownPlace) => {
    const north = (place.lat - camera.lat) * degree;
    const east = (place.lng - camera.lng) * degree * Math.cos((camera.lat * Math.PI) / 180);
    return (
      Math.hypot(north, east) <= camera.radius && Math.abs(place.lng) <= 180 && Math.abs(place.lat) <= 90
    );
  };
  return steps
    .flatMap((up) => steps.map((right) => placeIn(trade, row + up, column + right, camera)))
    .filter((place): place is TownPlace => place !== null && within(place))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, maxPlaces);
}

function put(tree: unknown, path: readonly (string | number)[], value: Json): void {
  const list = valueAt(tree, path.slice(0, -1));
  if (Array.isArray(list)) list[path.at(-1) as number] = value;
}

/** The language of the sample `template`. */
const templateLanguage = 'en';

function rowOf(template: unknown, trade: string, mark: string, { lat, lng, chance }: TownPlace): unknown {
  const row = structuredClone(template);
  const node = valueAt(row, searchRows[0]?.node ?? []);
  const half = (at: number) => `0x${chance.toString('hex', at, at + 8).replace(/^0+/, '')}` as const;
  const id = `${half(0)}:${half(8)}` as `0x${string}:0x${string}`;
  const rating = 3 + (chance.readUInt8(8) % 21) / 10;
  const surname = String(valueAt(node, paths.name[0])).split(' ').at(-1);
  for (const path of paths.featureId) put(node, path, id);
  for (const path of paths.placeId) put(node, path, placeIdOf(id));
  put(node, paths.name[0], `${trade} ${surname} ${chance.readUInt8(9) % 100} ${mark}`);
  put(node, paths.categories, [trade]);
  put(node, paths.lat, lat);
  put(node, paths.lng, lng);
  put(node, paths.rating[0], Math.round(rating * 10) / 10);
  put(node, paths.ratings[0], 1 + (chance.readUInt16BE(10) % 900));
  put(node, paths.ratingsText[0], null);
  return row;
}

/**
 * Answers searches that no sample covers with places of an invented town that spans the earth. A place has the same
 * location in every search, so that areas can be covered and ranks compared. The rows are copies of the sample
 * `template`, which `samples` answers, with other names, IDs, locations and ratings.
 */
export function sampleTown(
  samples: PageSource,
  template: string,
  identity: { readonly query: string; readonly language: string; readonly area: Camera | null },
): PageSource {
  const trade = tradeOf(identity.query);
  const mark = sampleMark(templateLanguage, identity.language);
  const pageOf = (sample: Page, url: string): Page => {
    const root = structuredClone(rootOf(sample)) as unknown[];
    const list = searchRows[0]?.list ?? [];
    const rows = listAt(root, ...list);
    const offset = Number(/!8i(\d+)/.exec(decodeURIComponent(url))?.[1] ?? 0);
    const places = placesAround(trade, identity.area ?? home).slice(offset, offset + searchPage);
    const shownRows = places.map((place) =>
      rowOf(rows[place.chance.readUInt8(12) % rows.length], trade, mark, place),
    );
    put(root, list, shownRows as Json);
    put(root, searchQuery, identity.query);
    const body = `${guard}\n${JSON.stringify(root)}`;
    return { ...sample, url, body: Buffer.from(body), text: () => body };
  };
  return {
    open(site, signal) {
      const session = samples.open(site, signal);
      const request = searchRequest(template, templateLanguage, null, null, 0);
      return { ...session, fetch: async ({ url }) => pageOf(await session.fetch(request), url) };
    },
    close: () => samples.close(),
  };
}
