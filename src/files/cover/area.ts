import { invalidParameter } from '../../../lib/errors/extract-error.js';
import type { Point } from '../../../lib/platforms/maps/point.js';
import { isRecord } from '../../../lib/read/json.js';
import { type Box, isInside } from './cells.js';

export interface Area {
  /** The bounding box. */
  readonly box: Box;
  readonly contains: (point: Point) => boolean;
  /** Returns false for a cell entirely outside. */
  readonly touches: (cell: Box) => boolean;
}

export const boxArea = (box: Box): Area => ({
  box,
  contains: (point) => isInside(box, point),
  touches: () => true,
});

type Position = readonly [lng: number, lat: number];
type Ring = readonly Position[];
type Edge = readonly [Position, Position];

const wrong = (what: string) => invalidParameter(`The area is not a GeoJSON polygon: ${what}.`);

function positionOf(value: unknown): Position {
  const [lng, lat] = Array.isArray(value) ? (value as unknown[]) : [];
  const isOnEarth =
    typeof lng === 'number' && typeof lat === 'number' && Math.abs(lng) <= 180 && Math.abs(lat) <= 89;
  if (!isOnEarth)
    throw wrong(`${JSON.stringify(value)?.slice(0, 60)} is not a longitude and latitude in degrees`);
  return [lng, lat];
}

function ringOf(value: unknown): Ring {
  const ring = Array.isArray(value) ? value.map(positionOf) : [];
  if (ring.length < 4) throw wrong('a ring needs at least four positions, the last equal to the first');
  const [first, last] = [ring[0] as Position, ring.at(-1) as Position];
  if (first[0] !== last[0] || first[1] !== last[1]) throw wrong('a ring must end where it begins');
  return ring;
}

/** Returns the rings of all polygons of a GeoJSON object: outlines and holes alike. */
function ringsOf(value: unknown): Ring[] {
  if (!isRecord(value)) throw wrong('it is not an object');
  const lists = (list: unknown) => (Array.isArray(list) ? (list as unknown[]) : []);
  switch (value.type) {
    case 'FeatureCollection':
      return lists(value.features).flatMap(ringsOf);
    case 'Feature':
      return ringsOf(value.geometry);
    case 'GeometryCollection':
      return lists(value.geometries).flatMap(ringsOf);
    case 'Polygon':
      return lists(value.coordinates).map(ringOf);
    case 'MultiPolygon':
      return lists(value.coordinates).flatMap((polygon) => lists(polygon).map(ringOf));
    default:
      throw wrong(`${JSON.stringify(value.type)?.slice(0, 60)} is not a polygon`);
  }
}

const edgesOf = (ring: Ring): Edge[] => ring.slice(1).map((end, at) => [ring[at] as Position, end] as const);

/** True if a position is within an odd number of rings: in an outline, and in none of its holes. */
function isWithin(edges: readonly Edge[], [x, y]: Position): boolean {
  const crossed = edges.filter(
    ([[x1, y1], [x2, y2]]) => y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1,
  );
  return crossed.length % 2 === 1;
}

/** True if an edge passes through a box (Liang and Barsky). */
function crosses([[x1, y1], [x2, y2]]: Edge, { west, south, east, north }: Box): boolean {
  let [from, to] = [0, 1];
  for (const [step, room] of [
    [x1 - x2, x1 - west],
    [x2 - x1, east - x1],
    [y1 - y2, y1 - south],
    [y2 - y1, north - y1],
  ] as const) {
    if (step === 0) {
      if (room < 0) return false;
    } else if (step < 0) from = Math.max(from, room / step);
    else to = Math.min(to, room / step);
  }
  return from <= to;
}

const least = (list: readonly number[]) => list.reduce((one, other) => Math.min(one, other));
const most = (list: readonly number[]) => list.reduce((one, other) => Math.max(one, other));
const extentOf = (list: readonly number[]) => (list.length === 0 ? 0 : most(list) - least(list));

/** Makes longitudes continuous: GeoJSON cuts areas at the 180th meridian, so rings west of it are shifted east. */
function overDateLine(rings: readonly Ring[]): readonly Ring[] {
  const shifted = rings.map((ring) => ring.map(([lng, lat]) => [lng < 0 ? lng + 360 : lng, lat] as const));
  const xsOf = (all: readonly Ring[]) => all.flat().map(([lng]) => lng);
  const isOver = extentOf(xsOf(rings)) > 180 && extentOf(xsOf(shifted)) < 180;
  return isOver ? shifted : rings;
}

/** Parses the polygons of a GeoJSON text. Throws `invalid_parameter`. */
export function parseArea(text: string): Area {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('it is not JSON');
  }
  const edges = overDateLine(ringsOf(value)).flatMap(edgesOf);
  if (edges.length === 0) throw wrong('it has no polygon');
  const [xs, ys] = [edges.map(([[x]]) => x), edges.map(([[, y]]) => y)];
  const box = { west: least(xs), south: least(ys), east: most(xs), north: most(ys) };
  if (box.west === box.east || box.south === box.north) throw wrong('it has no extent');
  return {
    box,
    contains: ({ lat, lng }) => isWithin(edges, [lng < box.west ? lng + 360 : lng, lat]),
    touches: (cell) => edges.some((edge) => crosses(edge, cell)) || isWithin(edges, [cell.west, cell.south]),
  };
}
