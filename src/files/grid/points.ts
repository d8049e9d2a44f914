import { distance, type Point } from '../../../lib/platforms/maps/point.js';

/** A point of a grid. Rows count from the north, columns from the west, both from 1. */
export interface GridPoint extends Point {
  readonly row: number;
  readonly column: number;
}

export interface GridShape {
  readonly center: Point;
  /** Points per side. */
  readonly size: number;
  /** Metres between neighbours. */
  readonly spacing: number;
}

const degree = distance({ lat: 0, lng: 0 }, { lat: 1, lng: 0 });

const round = (value: number) => Math.round(value * 1e6) / 1e6;
const onEarth = (lng: number) => ((lng + 540) % 360) - 180;

/** Returns the points of a square around a centre, row by row from the north-west. */
export function gridPoints({ center, size, spacing }: GridShape): GridPoint[] {
  const half = (size - 1) / 2;
  return Array.from({ length: size * size }, (_, at) => {
    const [row, column] = [Math.floor(at / size), at % size];
    const lat = center.lat + ((half - row) * spacing) / degree;
    const lng = center.lng + ((column - half) * spacing) / (degree * Math.cos((center.lat * Math.PI) / 180));
    return { row: row + 1, column: column + 1, lat: round(lat), lng: round(onEarth(lng)) };
  });
}

/** Returns the metres from the centre to a corner. */
export const reachOf = ({ size, spacing }: GridShape) => (((size - 1) * spacing) / 2) * Math.SQRT2;
