import type { MapsPlace } from '../../../lib/platforms/maps/objects.js';
import type { Point } from '../../../lib/platforms/maps/point.js';
import type { GridPoint } from './points.js';

export interface PointAnswer {
  /** In the platform's order; null if the search failed. */
  readonly places: readonly MapsPlace[] | null;
  readonly error: string | null;
  /** ISO 8601 UTC; null if the search failed. */
  readonly fetchedAt: string | null;
}

export interface RankedPoint extends GridPoint {
  /** From 1; null if the place is not on the page, or the search failed. */
  readonly rank: number | null;
  /** Number of places on the page; null if the search failed. */
  readonly results: number | null;
  readonly first: readonly Pick<MapsPlace, 'place_id' | 'name'>[];
  readonly error: string | null;
}

/** How a place ranks over all answered points. */
export interface PlaceRanking {
  readonly place_id: string;
  readonly name: string;
  readonly location: Point | null;
  readonly rating: number | null;
  readonly user_ratings_total: number | null;
  /** Number of points with it on the page. */
  readonly points: number;
  /** Share of the answered points with it among the first three, 0 to 1; null without answered points. */
  readonly top3_share: number | null;
  /** Average rank on the pages that have it; null if none has. */
  readonly average_rank: number | null;
}

export interface GridReport {
  readonly points: readonly RankedPoint[];
  /** Number of answered points. */
  readonly answered: number;
  readonly place: PlaceRanking;
  /** Best first. */
  readonly competitors: readonly PlaceRanking[];
  /** When the first and the last point were read. */
  readonly from: string | null;
  readonly to: string | null;
}

const top = 3;

/** The place of a grid, from its own page. */
export type GridSubject = Omit<PlaceRanking, 'points' | 'top3_share' | 'average_rank'>;

function rankingOf(subject: GridSubject, ranks: readonly number[], answeredCount: number): PlaceRanking {
  const sum = ranks.reduce((total, rank) => total + rank, 0);
  const first = ranks.filter((rank) => rank <= top).length;
  return {
    ...subject,
    points: ranks.length,
    top3_share: answeredCount === 0 ? null : first / answeredCount,
    average_rank: ranks.length === 0 ? null : sum / ranks.length,
  };
}

/** Compares rankings: by top-three points, then by pages, then by average rank. */
function byRanking(one: PlaceRanking, other: PlaceRanking): number {
  return (
    (other.top3_share ?? 0) - (one.top3_share ?? 0) ||
    other.points - one.points ||
    (one.average_rank ?? 0) - (other.average_rank ?? 0) ||
    (one.place_id < other.place_id ? -1 : 1)
  );
}

/** Ranks a place and its competitors over a grid. `answers` are in the order of the points. */
export function rankGrid(
  subject: GridSubject,
  points: readonly GridPoint[],
  answers: readonly PointAnswer[],
): GridReport {
  const ranks = new Map<string, number[]>([[subject.place_id, []]]);
  const subjects = new Map<string, GridSubject>();
  for (const { places } of answers) {
    for (const [at, place] of (places ?? []).entries()) {
      const { place_id, name, location, rating, user_ratings_total } = place;
      if (!subjects.has(place_id))
        subjects.set(place_id, { place_id, name, location, rating, user_ratings_total });
      const placeRanks = ranks.get(place_id);
      if (placeRanks === undefined) ranks.set(place_id, [at + 1]);
      else placeRanks.push(at + 1);
    }
  }
  const answered = answers.filter(({ places }) => places !== null).length;
  const times = answers.flatMap(({ fetchedAt }) => (fetchedAt === null ? [] : [fetchedAt])).sort();
  return {
    points: points.map((point, at) => {
      const { places = null, error = null } = answers[at] ?? {};
      const rank = (places ?? []).findIndex(({ place_id }) => place_id === subject.place_id) + 1;
      const first = (places ?? []).slice(0, top).map(({ place_id, name }) => ({ place_id, name }));
      return { ...point, rank: rank === 0 ? null : rank, results: places?.length ?? null, first, error };
    }),
    answered,
    place: rankingOf(subject, ranks.get(subject.place_id) ?? [], answered),
    competitors: [...subjects.values()]
      .filter(({ place_id }) => place_id !== subject.place_id)
      .map((one) => rankingOf(one, ranks.get(one.place_id) ?? [], answered))
      .sort(byRanking),
    from: times[0] ?? null,
    to: times.at(-1) ?? null,
  };
}
