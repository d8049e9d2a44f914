import { ExtractError } from '../../../errors/extract-error.js';
import { refusal } from '../../../errors/outcomes.js';
import type { Json } from '../../../read/json.js';
import type { Part, Route } from '../../../routes/route.js';
import type { PageSession } from '../../../web/page-source.js';
import { fetchPagePastConsent } from '../fetch-past-consent.js';
import type { FeatureId } from '../ids.js';
import { sourceOfPhoto } from '../item-sources.js';
import type { MapsPhoto } from '../objects.js';
import { refuseRequest } from '../outcome.js';
import {
  fallbackPhotoPage,
  firstPhotoPage,
  laterPhotoPage,
  type PhotoPage,
  photoId,
  withholdsGallery,
} from '../photo-page.js';
import { pointOf, readPhoto } from '../photo-row.js';
import { fetchPlaceNode } from '../place-page.js';
import type { PlaceSubject } from '../place-subject.js';
import { distance, type Point } from '../point.js';
import { galleryCall, galleryRequest } from '../requests.js';
import { batchAnswerOf } from '../response-frame.js';
import { isThin } from '../thin-page.js';

/** A position in the list. Without a token it is the first part, inside the place body. */
interface Position {
  readonly token: string | null;
  /** Rows of the platform's page that were returned. */
  readonly skip: number;
  /** Rows of earlier pages. */
  readonly before: number;
  /** Location of the place according to the first page's photos; null if they have none. */
  readonly point: Point | null;
  /** Photos in the whole gallery, from an earlier page; null without a count. */
  readonly total: number | null;
}

const start: Position = { token: null, skip: 0, before: 0, point: null, total: null };

/** Photos of one place have the same location, give or take a few metres (2025-06). */
const samePlaceMetres = 5000;

/** Throws if a page's photos are far from the place. */
function pointOfPage({ rows }: PhotoPage, expected: Point | null): Point | null {
  const [point = null] = rows.map(pointOf).filter((one) => one !== null);
  if (expected !== null && point !== null && distance(expected, point) > samePlaceMetres) {
    throw new ExtractError('platform_changed', 'The next photos belong to another place.');
  }
  return expected ?? point;
}

async function firstPage(session: PageSession, id: FeatureId): Promise<{ page: PhotoPage; brief: boolean }> {
  const { answer, thin } = await fetchPlaceNode(
    session,
    id,
    'en',
    (node) => firstPhotoPage(node) === null && isThin(node),
  );
  const page = firstPhotoPage(answer);
  if (page !== null) return { page, brief: false };
  const fallback = fallbackPhotoPage(answer);
  if (thin && fallback.rows.length === 0) {
    throw new ExtractError('platform_blocked', 'The platform served a slim page without the photos.');
  }
  if (withholdsGallery(answer) && fallback.rows.length === 0) {
    throw refusal('subject_without_data', 'The platform served the place and withheld its photos.');
  }
  return { page: fallback, brief: fallback.rows.length > 0 };
}

async function laterPage(session: PageSession, id: FeatureId, token: string): Promise<PhotoPage> {
  const answer = await fetchPagePastConsent(session, galleryRequest(id, token));
  refuseRequest(answer);
  return laterPhotoPage(batchAnswerOf(answer, galleryCall));
}

/** True if photos end long before the gallery's count, which includes Street View. */
const endsEarly = (itemCount: number, total: number | null) => total !== null && itemCount * 2 < total;

/** The photos of a place: the first ones in the data of its page, later ones from the gallery's own list. */
export const gallery: Route<PlaceSubject, Part<MapsPhoto>> = {
  name: 'gallery',
  reads: 'The first 20 or so photos in the data of the place’s page, later ones in the list of its gallery.',
  surface: 'page',
  seen: { month: '2026-07', from: [] },
  fills: { uploader: 'some' },
  async read({ identity: { id }, limit, part, session }) {
    // Cursors of 0.1.0 lack the number.
    const at = { ...start, ...((part ?? {}) as Partial<Position>) };
    const { token, skip, before, point: expected } = at;
    const { page, brief } =
      token === null
        ? await firstPage(session, id)
        : { page: await laterPage(session, id, token), brief: false };
    const point = pointOfPage(page, expected);
    const total = page.total ?? at.total;
    const rows = page.rows.slice(skip, skip + limit);
    const itemCount = before + page.rows.length;
    const isAll = total !== null && itemCount >= total;
    const next: Position | null =
      skip + limit < page.rows.length
        ? { token, skip: skip + limit, before, point, total }
        : page.rows.length === 0 || isAll || page.token === null
          ? null
          : { token: page.token, skip: 0, before: itemCount, point, total };
    const isWithheld = page.isWithheld || endsEarly(itemCount, total);
    const data = rows.map(readPhoto);
    return {
      items: rows.map((row, index) => {
        const item = data[index] as MapsPhoto;
        return { item, source: sourceOfPhoto(row, item) };
      }),
      ids: rows.map((row) => photoId(row) ?? ''),
      next: next as Json,
      brief,
      total,
      ended: isAll ? 'end' : isWithheld ? 'visitors' : 'unknown',
      endsEarly: next === null && isWithheld,
      emptyProof: {
        ...page.emptyProof,
        // The first page has a count, and is not empty.
        end: page.emptyProof.end === true || (token !== null && page.isWithheld),
        leftOut: (page.emptyProof.leftOut ?? 0) + Math.min(skip, page.rows.length),
      },
    };
  },
};
