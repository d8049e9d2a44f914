import { ExtractError } from '../../errors/extract-error.js';
import { countOrNull, idOrNull } from '../../read/convert.js';
import { listAt, valueAt } from '../../read/json.js';
import { photo, photoPage, place } from './paths.js';
import { isStreetView } from './photo-row.js';
import { pageToken } from './response-frame.js';

/** A page of a gallery, in a place body or on its own. */
export interface PhotoPage {
  /** Every row once, Street View left out. */
  readonly rows: readonly unknown[];
  /** Photos in the whole gallery. */
  readonly total: number | null;
  readonly token: string | null;
}

/** Key of a row: the photo's id, or its address. */
export function photoId(row: unknown): string | null {
  return idOrNull(valueAt(row, photo.id)) ?? idOrNull(valueAt(row, photo.url));
}

function unique(rows: readonly unknown[]): readonly unknown[] {
  const seen = new Set<string | null>();
  return rows.filter((row) => {
    const id = photoId(row);
    if (!Array.isArray(row) || isStreetView(row) || (id !== null && seen.has(id))) return false;
    seen.add(id);
    return true;
  });
}

function pageOf(page: unknown, rows: readonly unknown[]): PhotoPage {
  return {
    rows: unique(rows),
    total: countOrNull(valueAt(page, photoPage.total)),
    token: pageToken(valueAt(page, photoPage.token)),
  };
}

/** The gallery's first page inside a place node, or null. */
export function firstPhotoPage(node: unknown): PhotoPage | null {
  const page = valueAt(node, place.gallery);
  return Array.isArray(valueAt(page, photoPage.rows)) ? pageOf(page, listAt(page, ...photoPage.rows)) : null;
}

/** The few pictures that stand elsewhere in a place node: what bodies without a gallery hold. */
export function fallbackPhotoPage(node: unknown): PhotoPage {
  const rows = place.fallbackPhotos.flatMap((path) => listAt(node, ...path));
  return pageOf(valueAt(node, place.fallbackGallery), rows);
}

/**
 * A later page. Its token never ends, so a page without rows is the end. Null rows beside a token mean that the
 * platform shows this visitor no more (2026-07): a refusal, not an end.
 */
export function laterPhotoPage(page: unknown): PhotoPage {
  if (!Array.isArray(page)) {
    throw new ExtractError('platform_changed', 'The answer came without a page of photos.');
  }
  const read = pageOf(page, listAt(page, ...photoPage.rows));
  if (!Array.isArray(valueAt(page, photoPage.rows)) && read.token !== null) {
    throw new ExtractError(
      'platform_blocked',
      'The platform shows a logged-out visitor no more photos than those before.',
    );
  }
  return read;
}
