import { countOrNull, textOrNull } from '../../read/convert.js';
import { anywhere, type Path, pick, valueAt } from '../../read/json.js';
import { aboutTab } from './about.js';
import { phonesOf, readListing } from './listing.js';
import type { MapsPlaceDetail } from './objects.js';
import { place } from './paths.js';
import { popularTimes } from './popular-times.js';

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
