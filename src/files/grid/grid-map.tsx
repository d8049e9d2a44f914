import { distance, type Point } from '../../../lib/platforms/maps/point.js';
import type { GridReport, RankedPoint } from './ranks.js';

const side = 800;
const margin = 90;

function classOf({ rank, error }: RankedPoint): string {
  if (error !== null) return 'failed';
  if (rank === null) return 'none';
  return rank <= 3 ? 'top' : rank <= 10 ? 'good' : 'mid';
}

/** Projects points for drawing, with the same scale in both directions. */
function projection(points: readonly Point[]): (point: Point) => readonly [x: number, y: number] {
  const [lats, lngs] = [points.map(({ lat }) => lat), points.map(({ lng }) => lng)];
  const [north, south] = [Math.max(...lats), Math.min(...lats)];
  const middle = { lat: (north + south) / 2, lng: lngs[Math.floor((lngs.length - 1) / 2)] ?? 0 };
  const scale = (side - 2 * margin) / Math.max(north - south, 1e-6);
  const narrow = Math.cos((middle.lat * Math.PI) / 180);
  // The shorter way around, if the grid crosses the 180th meridian.
  const eastOf = (lng: number) => ((lng - middle.lng + 540) % 360) - 180;
  return ({ lat, lng }) => [
    Math.round((side / 2 + eastOf(lng) * narrow * scale) * 10) / 10,
    Math.round((side / 2 + (middle.lat - lat) * scale) * 10) / 10,
  ];
}

const inView = ([x, y]: readonly [number, number]) => x > 0 && x < side && y > 0 && y < side;

/** Returns a length for the scale bar: 1, 2 or 5 times a power of ten. */
function roundLength(metres: number): number {
  const power = 10 ** Math.floor(Math.log10(metres));
  return [5, 2, 1].map((step) => step * power).find((length) => length <= metres) ?? power;
}

function Scale({ points, at }: { points: readonly Point[]; at: ReturnType<typeof projection> }) {
  const [one, other] = [points[0], points[1]];
  if (one === undefined || other === undefined) return null;
  const perMetre = (at(other)[0] - at(one)[0]) / distance(one, other);
  const metres = roundLength(160 / perMetre);
  const label = metres >= 1000 ? `${metres / 1000} km` : `${metres} m`;
  return (
    <g>
      <rect className="other" x={20} y={side - 24} width={metres * perMetre} height={4} />
      <text className="small" x={20} y={side - 32}>
        {label}
      </text>
      <text className="small" x={side - 40} y={30}>
        N ↑
      </text>
    </g>
  );
}

/** Draws rows and columns with their degrees. */
function Lines({ points, at }: { points: readonly RankedPoint[]; at: ReturnType<typeof projection> }) {
  return (
    <g>
      {points
        .filter(({ column }) => column === 1)
        .map((point) => (
          <g key={point.lat}>
            <line x1={0} x2={side} y1={at(point)[1]} y2={at(point)[1]} />
            <text className="small" x={4} y={at(point)[1] - 4}>
              {point.lat.toFixed(3)}
            </text>
          </g>
        ))}
      {points
        .filter(({ row }) => row === 1)
        .map((point) => (
          <g key={point.lng}>
            <line y1={0} y2={side} x1={at(point)[0]} x2={at(point)[0]} />
            <text className="small" x={at(point)[0] + 4} y={14}>
              {point.lng.toFixed(3)}
            </text>
          </g>
        ))}
    </g>
  );
}

/** Competitors on the map, as many as in the table. */
const maxOthers = 20;

/** Draws the ranked points, the place and the competitors to scale. */
export function GridMap({ report: { points, place, competitors } }: { readonly report: GridReport }) {
  const at = projection(points);
  const radius = Math.min(26, ((side - 2 * margin) / Math.max(1, Math.sqrt(points.length) - 1)) * 0.4);
  const placePoint = place.location === null ? null : at(place.location);
  return (
    <svg viewBox={`0 0 ${side} ${side}`} role="img" aria-label={`Ranks of ${place.name} at each point`}>
      <Lines points={points} at={at} />
      {points.map((point) => {
        const [x, y] = at(point);
        const { row, column, rank, error, first } = point;
        const heading = `${point.lat}, ${point.lng}: ${error ?? (rank === null ? 'not listed' : `rank ${rank}`)}`;
        return (
          <g key={`${row} ${column}`}>
            <title>{[heading, ...first.map(({ name }, index) => `${index + 1}. ${name}`)].join('\n')}</title>
            <circle className={classOf(point)} cx={x} cy={y} r={radius} />
            <text x={x} y={y + 5}>
              {error === null ? (rank ?? '–') : '?'}
            </text>
          </g>
        );
      })}
      {competitors.slice(0, maxOthers).map(({ place_id, name, location }) => {
        const spot = location === null ? null : at(location);
        return spot === null || !inView(spot) ? null : (
          <circle key={place_id} className="other" cx={spot[0]} cy={spot[1]} r={4}>
            <title>{name}</title>
          </circle>
        );
      })}
      {placePoint === null || !inView(placePoint) ? null : (
        <circle className="self" cx={placePoint[0]} cy={placePoint[1]} r={radius + 5}>
          <title>{place.name}</title>
        </circle>
      )}
      <Scale points={points} at={at} />
    </svg>
  );
}
