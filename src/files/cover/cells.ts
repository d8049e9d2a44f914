import { invalidParameter } from '../../../lib/errors/extract-error.js';
import { distance, type Point } from '../../../lib/platforms/maps/point.js';

/** A rectangle in degrees. `east` exceeds 180 if it crosses the date line. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const degree = distance({ lat: 0, lng: 0 }, { lat: 1, lng: 0 });

/** Minimum radius of a search, in metres. */
const minRadius = 100;
const maxRadius = 50_000;
/**
 * Minimum side of a cell that is split. Its quarters are searched with the smallest radius, from their own centres,
 * because the platform prefers near places.
 */
const minSide = 2 * 50;

/** More cells indicate a mistake in the size. */
const maxCells = 100_000;

/** Parses `west,south,east,north`. Throws `invalid_parameter`. */
export function parseBox(text: string): Box {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = numbers;
  const isBox =
    numbers.length === 4 &&
    [west, east].every((lng) => Math.abs(lng) <= 180) &&
    [south, north].every((lat) => Math.abs(lat) <= 89) &&
    south < north &&
    west !== east;
  if (!isBox) {
    throw invalidParameter(
      `The area ${JSON.stringify(text.slice(0, 80))} must be west,south,east,north in degrees, such as 23.70,37.95,23.76,38.00.`,
    );
  }
  return { west, south, east: east < west ? east + 360 : east, north };
}

/** Parses a length such as `1km`, `500m` or `750`, in metres. Throws `invalid_parameter`. */
export function lengthOf(
  text: string,
  { min, max, what }: { readonly min: number; readonly max: number; readonly what: string },
): number {
  const [, number = '', unit] = /^(\d{1,6}(?:\.\d{1,3})?)\s*(km|m)?$/.exec(text.trim()) ?? [];
  const metres = Number(number) * (unit === 'km' ? 1000 : 1);
  if (number === '' || metres < min || metres > max) {
    throw invalidParameter(
      `${what}, ${JSON.stringify(text.slice(0, 80))}, must be ${min}m to ${max / 1000}km.`,
    );
  }
  return metres;
}

export const parseLength = (text: string) =>
  lengthOf(text, { min: 150, max: 50_000, what: 'The size of a cell' });

/** Returns the box that extends this many metres from a point in each direction. */
export function boxAround({ lat, lng }: Point, metres: number): Box {
  const up = metres / degree;
  const across = metres / (degree * Math.cos((lat * Math.PI) / 180));
  // A box that crosses the date line begins in the east.
  const middle = lng - across < -180 ? lng + 360 : lng;
  return { west: middle - across, south: lat - up, east: middle + across, north: lat + up };
}

/** Returns the width of a box in metres, at its widest. */
function widthOf({ west, east, south, north }: Box): number {
  const lat = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north));
  return (east - west) * degree * Math.cos((lat * Math.PI) / 180);
}

const heightOf = ({ south, north }: Box) => (north - south) * degree;

function steps(from: number, to: number, count: number): readonly (readonly [number, number])[] {
  const at = (step: number) => (step === count ? to : from + ((to - from) * step) / count);
  return Array.from({ length: count }, (_, step) => [at(step), at(step + 1)] as const);
}

/**
 * Returns the cells of an area, with sides of at most this many metres, row by row from the south. Throws
 * `invalid_parameter`.
 */
export function gridOf(box: Box, side: number): Box[] {
  const rows = Math.ceil(heightOf(box) / side);
  const estimate = rows * Math.ceil(widthOf(box) / side);
  if (estimate > maxCells) {
    // Latitude and longitude are often swapped, which makes an area around the world.
    const around =
      box.west > box.east ? ' It crosses the 180th meridian, because its west is greater than its east.' : '';
    throw invalidParameter(
      `The area has ${estimate.toLocaleString('en-US')} cells of ${side} m, more than ${maxCells.toLocaleString('en-US')}.${around} Use larger cells; full ones are split.`,
    );
  }
  return steps(box.south, box.north, rows).flatMap(([south, north]) => {
    const row = { ...box, south, north };
    return steps(box.west, box.east, Math.ceil(widthOf(row) / side)).map(([west, east]) => ({
      ...row,
      west,
      east,
    }));
  });
}

/** Returns the four quarters of a cell; null if it is too small to split. */
export function quartersOf(box: Box): Box[] | null {
  if (widthOf(box) < minSide || heightOf(box) < minSide) return null;
  return steps(box.south, box.north, 2).flatMap(([south, north]) =>
    steps(box.west, box.east, 2).map(([west, east]) => ({ west, south, east, north })),
  );
}

export type Circle = Point & { readonly radius_m: number };

/** Returns the centre of a cell and the radius that covers all of it. */
export function circleOf({ west, south, east, north }: Box): Circle {
  const middle = { lat: (south + north) / 2, lng: (west + east) / 2 };
  const corners = [south, north].map((lat) => distance(middle, { lat, lng: west }));
  const radius = Math.min(maxRadius, Math.max(minRadius, Math.ceil(Math.max(...corners)) + 1));
  const round = (value: number) => Math.round(value * 1e6) / 1e6;
  return {
    lat: round(middle.lat),
    lng: round(middle.lng > 180 ? middle.lng - 360 : middle.lng),
    radius_m: radius,
  };
}

export function isInside({ west, south, east, north }: Box, { lat, lng }: Point): boolean {
  const shifted = lng < west ? lng + 360 : lng;
  return lat >= south && lat <= north && shifted >= west && shifted <= east;
}
