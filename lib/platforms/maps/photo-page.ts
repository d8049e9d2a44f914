import { ExtractError } from '../../errors/extract-error.js';
import { countOrNull, idOrNull, urlOrNull } from '../../read/convert.js';
import type { EmptyProof } from '../../read/empty-proof.js';
import { anywhere, at, listAt, valueAt } from '../../read/json.js';
import { photo, photoPage, place } from './paths.js';
import { isStreetView } from './photo-row.js';
import { pageToken } from './response-frame.js';

export interface PhotoPage {
  /** Every row once, without Street View. */
  readonly rows: readonly unknown[];
  /** Photos in the whole gallery. */
  readonly total: number | null;
  readonly token: string | null;
  /** True if the platform shows this visitor no more. */
  readonly isWithheld: boolean;
  /** The proof that there are no rows. */
  readonly emptyProof: EmptyProof;
}

/** Key of a row: the photo's id, or its address. */
export function photoId(row: unknown): string | null {
  return idOrNull(valueAt(row, photo.id)) ?? idOrNull(valueAt(row, photo.url));
}

function unique(rows: readonly unknown[]): readonly unknown[] {
  const seenIds = new Set<string | null>();
  return rows.filter((row) => {
    const id = photoId(row);
    if (!Array.isArray(row) || isStreetView(row) || (id !== null && seenIds.has(id))) return false;
    seenIds.add(id);
    return true;
  });
}

function pageOf(page: unknown, rows: readonly unknown[], end: boolean): PhotoPage {
  const total = countOrNull(valueAt(page, photoPage.total));
  return {
    rows: unique(rows),
    total,
    token: pageToken(valueAt(page, photoPage.token)),
    isWithheld: false,
    emptyProof: { total, end, leftOut: rows.filter(isStreetView).length },
  };
}

/** Returns the gallery's page at its path; null without a list of rows. A list without rows is its end. */
function galleryOf(page: unknown): PhotoPage | null {
  const rows = valueAt(page, photoPage.rows);
  return Array.isArray(rows) ? pageOf(page, rows, rows.length === 0) : null;
}

/** True for a photo's row, wherever it is: an id, two numbers of its kind, and an address. */
const isPhoto = (value: unknown) =>
  typeof at(value, 0) === 'string' &&
  typeof at(value, 1) === 'number' &&
  typeof at(value, 2) === 'number' &&
  urlOrNull(valueAt(value, photo.url)) !== null;

export function firstPhotoPage(node: unknown): PhotoPage | null {
  return galleryOf(valueAt(node, place.gallery));
}

/** True if a place node has a gallery but not its rows: it counts photos, or links to them. */
export function withholdsGallery(node: unknown): boolean {
  const page = valueAt(node, place.gallery);
  const total = countOrNull(valueAt(page, photoPage.total)) ?? 0;
  return firstPhotoPage(node) === null && (total > 0 || pageToken(valueAt(page, photoPage.token)) !== null);
}

/**
 * Returns the few pictures elsewhere in a place node, for bodies without a gallery. A body without a photo anywhere
 * proves that there are none.
 */
export function fallbackPhotoPage(node: unknown): PhotoPage {
  const rows = place.fallbackPhotos.flatMap((path) => listAt(node, ...path));
  return pageOf(valueAt(node, place.fallbackGallery), rows, !anywhere(node, isPhoto));
}

/**
 * Reads a later page. Tokens never run out, so a page without rows is the end. Null rows with a token mean that the
 * platform shows this visitor no more (2026-07).
 */
export function laterPhotoPage(page: unknown): PhotoPage {
  if (!Array.isArray(page)) {
    throw new ExtractError('platform_changed', 'The answer has no page of photos.');
  }
  const gallery = galleryOf(page);
  if (gallery !== null) return gallery;
  const rest = pageOf(page, [], false);
  return { ...rest, isWithheld: rest.token !== null };
}
