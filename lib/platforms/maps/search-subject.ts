import { ExtractError } from '../../errors/extract-error.js';
import type { MapsPlace } from './objects.js';
import { distance } from './point.js';
import type { Camera } from './requests.js';

/** A search as its routes require it. */
export type SearchSubject = {
  readonly query: string;
  readonly area: Camera | null;
  readonly country: string | null;
  readonly language: string;
};

/** The camera only biases the response, so results beyond the requested radius are dropped here. */
export function withinRadius(places: readonly MapsPlace[], camera: Camera | null): readonly MapsPlace[] {
  if (camera === null) return places;
  return places.filter(({ location }) => location !== null && distance(location, camera) <= camera.radius);
}

/** Throws `missing_parameter` if only one coordinate is set. */
export function cameraOf({
  lat,
  lng,
  radius_m,
}: Partial<Record<'lat' | 'lng' | 'radius_m', number | undefined>>): Camera | null {
  if (lat === undefined && lng === undefined) return null;
  if (lat === undefined || lng === undefined) {
    const [present, lacking] = lat === undefined ? ['lng', 'lat'] : ['lat', 'lng'];
    throw new ExtractError(
      'missing_parameter',
      `The parameter ${present} requires ${lacking}: give both or neither.`,
    );
  }
  return { lat, lng, radius: radius_m ?? 5000 };
}
