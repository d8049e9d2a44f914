import { defineEndpoint } from '../../endpoint.js';
import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { pageUrl, text } from '../../params/vocabulary.js';
import type { Json } from '../../read/json.js';
import type { PageSession } from '../../web/page-source.js';
import { fetchPagePastConsent } from './fetch-past-consent.js';
import type { FeatureId } from './ids.js';
import { sourceOfPhoto } from './item-sources.js';
import { type MapsPhoto, mapsPhoto } from './objects.js';
import { refuseRequest } from './outcome.js';
import {
  fallbackPhotoPage,
  firstPhotoPage,
  laterPhotoPage,
  type PhotoPage,
  photoId,
  withholdsGallery,
} from './photo-page.js';
import { pointOf, readPhoto } from './photo-row.js';
import { fetchPlaceNode } from './place-page.js';
import { distance, type Point } from './places.js';
import { galleryCall, galleryRequest } from './requests.js';
import { resolveFeatureId } from './resolve.js';
import { batchAnswerOf } from './response-frame.js';
import { site } from './site.js';
import { isThin } from './thin-page.js';
import { keyOf, type PlaceKey } from './urls.js';

/**
 * Where a page of the listing begins. Without a token it is the first one, inside the place body. An empty token stands
 * for a next page that the platform did not name.
 */
interface Position {
  readonly token: string | null;
  /** Rows of the platform's page that were given. */
  readonly skip: number;
  /** Rows of the pages before it. */
  readonly before: number;
  /** Where the place is, as the photos of the first page say; null where they do not. */
  readonly point: Point | null;
  /** Photos of the whole gallery, as a page before it counts them; null where none does. */
  readonly total: number | null;
}

const start: Position = { token: null, skip: 0, before: 0, point: null, total: null };

/** Photos of one place name the same point, give or take a few metres (2025-06). */
const samePlaceMetres = 5000;

/** Where the photos of a page are. Throws where that is far from where the place is. */
function pointOfPage({ rows }: PhotoPage, known: Point | null): Point | null {
  const [point = null] = rows.map(pointOf).filter((one) => one !== null);
  if (known !== null && point !== null && distance(known, point) > samePlaceMetres) {
    throw new ExtractError('platform_changed', 'The next photos are those of another place.');
  }
  return known ?? point;
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

/** Whether photos end long before the number of the gallery, which counts Street View, too. */
const endsEarly = (given: number, total: number | null) => total !== null && given * 2 < total;

/** Throws for a page without photos long before the number of the gallery. */
function refuseEarlyEnd({ rows }: Pick<PhotoPage, 'rows'>, before: number, total: number | null): void {
  if (rows.length > 0 || !endsEarly(before, total)) return;
  throw new ExtractError(
    'platform_blocked',
    `The gallery counts ${total} photos, and the platform shows no more than the ${before} before.`,
  );
}

async function laterPage(session: PageSession, id: FeatureId, token: string): Promise<PhotoPage> {
  const answer = await fetchPagePastConsent(session, galleryRequest(id, token));
  refuseRequest(answer);
  return laterPhotoPage(batchAnswerOf(answer, galleryCall));
}

/** GET /maps/photos */
export const photos = defineEndpoint({
  path: 'maps/photos',
  operation: 'get_place_photos',
  summary: 'Google Maps photos: of a place, with sizes in pixels',
  description:
    'The first 20 or so come from the place’s page, later ones from the gallery, which the platform often closes to logged-out visitors: the next page then fails with `platform_blocked` and is never an empty list. Street View is left out; for a video you get its still image.\n\nThe gallery does not say who took a photo, so `uploader` is usually null.',
  credits: 2,
  cacheSeconds: 86_400,
  site,
  params: () => ({
    place_id: text('Place ID: ChIJ….'),
    url: pageUrl('URL of the place’s page, or a short link to it.'),
  }),
  exactlyOne: ['place_id', 'url'],
  page: { max: 20 },
  returns: mapsPhoto,
  many: true,
  columns: ['width', 'height', 'uploader.name', 'url'],
  identify: ({ place_id, url }) => ({ place: keyOf(place_id, url) as Json }),
  async read({ identity, limit, position, session }) {
    const id = await resolveFeatureId(session, identity.place as unknown as PlaceKey);
    // Cursors of 0.1.0 do not hold the number.
    const at = { ...start, ...((position ?? {}) as Partial<Position>) };
    const { token, skip, before, point: known } = at;
    if (token === '') refuseEarlyEnd({ rows: [] }, before, at.total);
    const { page, brief } =
      token === null
        ? await firstPage(session, id)
        : { page: await laterPage(session, id, token), brief: false };
    const point = pointOfPage(page, known);
    const total = page.total ?? at.total;
    if (token !== null) refuseEarlyEnd(page, before, total);
    const rows = page.rows.slice(skip, skip + limit);
    const given = before + page.rows.length;
    const atEnd = page.rows.length === 0 || (page.total !== null && given >= page.total);
    const next: Position | null =
      skip + limit < page.rows.length
        ? { token, skip: skip + limit, before, point, total }
        : atEnd || (page.token === null && !endsEarly(given, total))
          ? null
          : { token: page.token ?? '', skip: 0, before: given, point, total };
    const data = rows.map(readPhoto);
    return {
      data,
      sources: rows.map((row, index) => sourceOfPhoto(row, data[index] as MapsPhoto)),
      ids: rows.map((row) => photoId(row) ?? ''),
      next: next as Json,
      brief,
      isEnd: page.total !== null && given >= page.total,
      emptyProof: {
        ...page.emptyProof,
        leftOut: (page.emptyProof.leftOut ?? 0) + Math.min(skip, page.rows.length),
      },
    };
  },
});
