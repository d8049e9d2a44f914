/** A point on earth, in degrees. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

const earthRadius = 6_371_010;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Metres between two points on a sphere (haversine). */
export function distance(one: Point, other: Point): number {
  const lat = Math.sin(radians(other.lat - one.lat) / 2);
  const lng = Math.sin(radians(other.lng - one.lng) / 2);
  const chord = lat * lat + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * lng * lng;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(chord)));
}
