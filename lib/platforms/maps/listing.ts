import { refusal } from '../../errors/outcomes.js';
import { countOrNull, numberOrNull, textOrNull } from '../../read/convert.js';
import { at, listAt, type Path, pick, valueAt } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import { businessStatus } from './business-status.js';
import { openingHours } from './hours.js';
import { type FeatureId, featureId, featureIdOf, isHalf, placeIdOf } from './ids.js';
import { websiteOrNull } from './links.js';
import type { MapsPlace } from './objects.js';
import { place } from './paths.js';

/** Thousands separators of the platform's languages: point, comma, apostrophes and every kind of space. */
const separator = "[.,'’\\s]";
const numberAndUnit = new RegExp(`\\d+(?:${separator}\\d+)*[^\\s\\d]*`, 'g');
/** Groups of three after the first; in India, of two before the last. */
const digitGroups = new RegExp(`^(?:\\d+|\\d{1,3}(?:${separator}\\d{2,3})*${separator}\\d{3})$`);

/** Two words after a number: the first may mean thousands, as in “2 mil reseñas”. */
const words = /\d\s+\p{L}\S*\s+\p{L}/u;

/**
 * Returns the single count in a label such as “4,246 reviews” or “516 αξιολογήσεις”, or null. A shortened count
 * (“1.2K”, “2 mil”), a decimal, or a second number would be a guess, and is null.
 */
export function countInText(value: unknown): number | null {
  if (typeof value !== 'string' || value.length > 100) return null;
  const [number, second] = value.match(numberAndUnit) ?? [];
  if (number === undefined || second !== undefined || !digitGroups.test(number)) return null;
  const count = countOrNull(number.replace(/\D/g, ''));
  return count !== null && count < 1000 && words.test(value) ? null : count;
}

export function featureIdOfNode(node: unknown): FeatureId | null {
  const ofPlaceId = (text: unknown) => (typeof text === 'string' ? featureIdOf(text) : null);
  return pick(node, place.featureId, featureId) ?? pick(node, place.placeId, ofPlaceId);
}

function placeId(node: unknown): string | null {
  const listing = pick(node, place.placeId, textOrNull);
  if (listing !== null && /^ChIJ[\w-]{23}$/.test(listing)) return listing;
  const id = featureIdOfNode(node);
  return id === null || isHalf(id) ? null : placeIdOf(id);
}

function degrees(node: unknown, path: Path, bound: number): number | null {
  const value = numberOrNull(valueAt(node, path));
  return value === null || Math.abs(value) > bound ? null : value;
}

function locationOf(node: unknown): MapsPlace['location'] {
  const lat = degrees(node, place.lat, 90);
  const lng = degrees(node, place.lng, 180);
  return lat === null || lng === null ? null : { lat, lng };
}

/** Returns a rating from 1 to 5; the page writes 0 for an unrated place. */
export function ratingOf(node: unknown): number | null {
  const rating = pick(node, place.rating, numberOrNull);
  return rating === null || rating <= 0 || rating > 5 ? null : rating;
}

/**
 * Returns the number of ratings, else the words next to it. A rated place has at least one, so 0 does not count.
 * Without a rating the list may have moved and the number may be the rating, so the words come first and no number from
 * 1 to 5 counts.
 */
export function ratingsOf(node: unknown): number | null {
  const number = pick(node, place.ratings, countOrNull);
  const inWords = pick(node, place.ratingsText, countInText);
  if (ratingOf(node) !== null) return number || inWords || null;
  return inWords ?? (number === 0 || (number ?? 0) > 5 ? number : null);
}

/** Returns the address line of kind 1: [1, [["the address without the name"]]]. */
function addressLine(node: unknown): string | null {
  for (const line of listAt(node, ...place.addressLines)) {
    if (at(line, 0) === 1) return textOrNull(at(line, 1, 0, 0));
  }
  return null;
}

function texts(list: readonly unknown[], ...path: Path): string[] {
  return list.map((entry) => textOrNull(valueAt(entry, path))).filter((text) => text !== null);
}

/** Kinds of addresses and regions, of which Maps may show no category: the types of its Geocoding API (2026-11). */
const regionKind =
  /^(?:administrative_area|archipelago|colloquial_area|continent|country|intersection|locality|natural_feature|neighborhood|plus_code|political|postal|premise|route|street|sublocality|subpremise)/;

const isCategoryId = (value: unknown) =>
  typeof value === 'string' && /^[a-z]+(?:_[a-z0-9]+)*$/.test(value) && !regionKind.test(value);

/**
 * Returns the categories. Throws `platform_changed` for a place without them that has the platform's names of them,
 * also one index further: they have moved.
 */
function categoriesOf(node: unknown): string[] {
  const categories = texts(listAt(node, ...place.categories));
  const [index] = place.categoryIds;
  const isNamed = [index, index + 1].some((slot) => isCategoryId(at(node, slot, 0, 0)));
  if (categories.length > 0 || !isNamed) return categories;
  throw refusal('unknown_layout', 'The categories of a place have moved.');
}

/** The first text in a row is the number as shown; other forms of it follow. */
function phoneIn(row: unknown): string | null {
  if (!Array.isArray(row)) return textOrNull(row);
  return row.map(phoneIn).find((text) => text !== null) ?? null;
}

/** Returns every phone number of a place node, as shown. */
export function phonesOf(node: unknown): string[] {
  const phones = listAt(node, ...place.phones).map(phoneIn);
  return [...new Set(phones.filter((phone) => phone !== null && /\d/.test(phone)) as string[])];
}

/** Reads the keys that search and detail share. `node` is a row of a search, or root[6] of a place body. */
export function readListing(node: unknown): MapsPlace {
  return {
    place_id: requireValue(placeId(node), 'the ID of a place'),
    name: requireValue(pick(node, place.name, textOrNull), 'the name of a place'),
    categories: categoriesOf(node),
    formatted_address: pick(node, place.address, textOrNull) ?? addressLine(node),
    location: locationOf(node),
    rating: ratingOf(node),
    user_ratings_total: ratingsOf(node),
    phone: phonesOf(node)[0] ?? null,
    website: pick(node, place.website, websiteOrNull),
    opening_hours: openingHours(node),
    business_status: businessStatus(node),
  };
}
