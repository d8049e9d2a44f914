import { countOrNull, textOrNull } from '../../read/convert.js';
import { anywhere, at, listAt, type Path, pick, valueAt } from '../../read/json.js';
import { phonesOf, readListing } from './listing.js';
import type { MapsPlaceDetail } from './objects.js';
import { place } from './paths.js';

type Section = NonNullable<MapsPlaceDetail['about']>[number];
type Attribute = Section['attributes'][number];

/** Kinds of an attribute's value: yes or no, one of several, or all that apply. */
const yesOrNo = 1;
const oneOf = 2;
const anyOf = 3;

const flag = (value: unknown) => (value === 1 ? true : value === 0 ? false : null);

function attribute(name: unknown, available: boolean | null): Attribute[] {
  const text = textOrNull(name);
  return text === null ? [] : [{ name: text, available }];
}

/**
 * [ontology path, label, value, negated, …] → attributes. The value has one of three kinds.
 *
 *   [1, [[1 has or 0 has not, words]]]
 *   [2, _, _, [id, _, name]]                                          the kind that applies (“Free Wi-Fi”)
 *   [3, _, _, _, [_, [[[[id, _, name]…], _, [1 has]]…]]]              all that apply (cards that are taken)
 */
function attributesOf(item: unknown): Attribute[] {
  const value = at(item, 2);
  const kind = at(value, 0);
  if (kind === oneOf) return attribute(at(value, 3, 2), at(item, 3) !== 1);
  // A value at the next index means that the list has moved.
  if (Array.isArray(at(item, 3))) return [];
  if (kind === yesOrNo || !Array.isArray(value)) return attribute(at(item, 1), flag(at(value, 1, 0, 0)));
  if (kind !== anyOf) return [];
  return listAt(value, 4, 1).flatMap((group) =>
    listAt(group, 0).flatMap((choice) => attribute(at(choice, 2), flag(at(group, 2, 0)))),
  );
}

/** Reads the About tab: [group id, title, items] per section. Null if none can be read. */
export function aboutTab(node: unknown): Section[] | null {
  const sections: Section[] = [];
  for (const group of listAt(node, ...place.about)) {
    const section = textOrNull(at(group, 1));
    // Only attributes have an ontology path, so the list of sections has moved.
    if (section === null || textOrNull(at(group, 0))?.startsWith('/') === true) continue;
    const attributes = listAt(group, 2).flatMap(attributesOf);
    if (attributes.length > 0) sections.push({ section, attributes });
  }
  return sections.length > 0 ? sections : null;
}

type PopularTimes = NonNullable<MapsPlaceDetail['popular_times']>;

function hoursOf(entries: readonly unknown[]): PopularTimes[number]['hours'] {
  const hours: PopularTimes[number]['hours'] = [];
  for (const entry of entries) {
    const hour = countOrNull(at(entry, 0));
    const percent = countOrNull(at(entry, 1));
    if (hour !== null && percent !== null && hour < 24 && percent <= 100) {
      hours.push({ hour, busyness_percent: percent });
    }
  }
  return hours;
}

/**
 * Reads how busy a place usually is: [1 Monday … 7 Sunday, [[hour, percent, …]…], …] per day, Sunday first. Null
 * without any number.
 */
export function popularTimes(node: unknown): PopularTimes | null {
  const days: PopularTimes = [];
  for (const entry of listAt(node, ...place.popularTimes)) {
    const number = countOrNull(at(entry, 0));
    if (number === null || number < 1 || number > 7) continue;
    days.push({ day: number % 7, hours: hoursOf(listAt(entry, 1)) });
  }
  return days.some(({ hours }) => hours.length > 0) ? days : null;
}

export function fiveCounts(value: unknown): MapsPlaceDetail['rating_distribution'] {
  if (!Array.isArray(value) || value.length < 5) return null;
  const [one, two, three, four, five] = value.slice(0, 5).map(countOrNull);
  if (one == null || two == null || three == null || four == null || five == null) return null;
  return { '1': one, '2': two, '3': three, '4': four, '5': five };
}

/** “€€” → 2. Since 2025 many places show a price range instead, which does not translate to a number. */
function symbolCount(value: unknown): number | null {
  return typeof value === 'string' && /^(\p{Sc})\1{0,3}$/u.test(value.trim()) ? value.trim().length : null;
}

const isText = (value: unknown) => textOrNull(value) !== null;

const someText = (node: unknown, paths: readonly Path[]) =>
  paths.some((path) => textOrNull(valueAt(node, path)) !== null);

/** An invitation to claim the listing outweighs an owner's account, which old listings may keep (2023-09). */
function isClaimed(node: unknown): boolean | null {
  const isInvited = place.claimInvitations.some((path) => anywhere(valueAt(node, path), isText));
  if (isInvited) return false;
  return someText(node, place.owner) ? true : null;
}

export function readDetail(node: unknown): MapsPlaceDetail {
  return {
    ...readListing(node),
    rating_distribution: pick(node, place.distribution, fiveCounts),
    price_level: pick(node, place.price, symbolCount),
    phone_numbers: phonesOf(node),
    popular_times: popularTimes(node),
    about: aboutTab(node),
    is_claimed: isClaimed(node),
  };
}
