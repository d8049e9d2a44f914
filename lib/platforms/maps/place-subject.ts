import type { Json } from '../../read/json.js';
import type { PageSession } from '../../web/page-source.js';
import type { FeatureId } from './ids.js';
import { resolveFeatureId } from './resolve.js';
import type { PlaceKey } from './urls.js';

/** A place as its routes require it. */
export interface PlaceSubject {
  readonly id: FeatureId;
}

/** Resolves the requested place. A short link or a cid takes one request. */
export const placeSubject = async <Rest extends { readonly place: Json }>(
  identity: Rest,
  session: PageSession,
): Promise<Rest & PlaceSubject> => ({
  ...identity,
  id: await resolveFeatureId(session, identity.place as unknown as PlaceKey),
});
