import type { Endpoint } from '../../../lib/endpoint.js';

/**
 * The field that identifies an item of the platform, by the object's name. An object may carry no identifier of its own
 * (a review, a post of pronetwork, a job). Its input and its position in the answer then identify it.
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

/** The field that identifies an item of an endpoint; null where its objects carry none. */
export function itemKey({ returns }: Pick<Endpoint, 'returns'>): string | null {
  const name = returns.meta()?.id;
  return name === undefined ? null : (keyFields[name] ?? null);
}
