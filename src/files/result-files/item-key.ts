import type { Endpoint } from '../../../lib/endpoint.js';

/**
 * The field that identifies an item, by the object's name. Other objects (a review, a post of pronetwork, a job) have
 * no ID, and are identified by their input and their position.
 */
const keyFields: Readonly<Record<string, string>> = {
  maps_place: 'place_id',
  maps_place_detail: 'place_id',
  maps_photo: 'url',
  photosocial_profile: 'username',
  photosocial_post: 'shortcode',
  shortvideo_profile: 'username',
  shortvideo_video: 'id',
  shortvideo_comment: 'id',
};

/** Returns the field that identifies an item of an endpoint; null if its objects have none. */
export function itemKey({ returns }: Pick<Endpoint, 'returns'>): string | null {
  const name = returns.meta()?.id;
  return name === undefined ? null : (keyFields[name] ?? null);
}
