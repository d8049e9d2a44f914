import type { LocatedList, ReadContext } from '../endpoint.js';

import { at, type Json } from '../read/json.js';
import type { PageSession } from '../web/page-source.js';
import { completeItems, type ItemLadder } from './complete-items.js';
import { merge, readBy } from './merge.js';
import type { Part, Route } from './route.js';
import { type Asked, ask, isOutcome, type Walk, walk } from './walk.js';

/** The routes of an endpoint that answers a list. */
export interface ListLadder<Identity, Item extends object, Subject = Identity>
  extends Walk<Subject, Part<Item>> {
  /** Turns what was asked for into what the routes are asked by. `part`: where the previous part ended, or null. */
  readonly resolve?: (identity: Identity, session: PageSession, part: Json) => Promise<Subject>;
  /** The routes in a browser; those of plain requests if omitted. */
  readonly browser?: readonly Route<Subject, Part<Item>>[];
  /** Routes to the same list whose rows fill what the answering one leaves null; matched by ID, on the first part. */
  readonly joins?: readonly {
    readonly route: Route<Subject, Part<Item>>;
    readonly fields: readonly (keyof Item & string)[];
  }[];
  /** Completes items from places of their own. */
  readonly items?: ItemLadder<Item>;
}

/** A position in the list, as cursors hold it: the route that gave it, and its own place. */
const positionIn = (route: Route<never, unknown>, next: Json): Json =>
  next === null ? null : { route: route.name, at: next };

/** The routes that a position is asked by. One of an earlier version names none: it is the first route's. */
function routesAt<Identity, Item extends object>(
  routes: readonly Route<Identity, Part<Item>>[],
  position: Json,
): { readonly routes: readonly Route<Identity, Part<Item>>[]; readonly part: Json } {
  if (position === null) return { routes, part: null };
  const name = at(position, 'route');
  const named = routes.find((route) => route.name === name);
  return named === undefined
    ? { routes: routes.slice(0, 1), part: position }
    : { routes: [named], part: at(position, 'at') as Json };
}

/** Answers one page of a list by its ladder. */
export async function readList<Identity, Item extends object, Subject = Identity>(
  ladder: ListLadder<Identity, Item, Subject>,
  context: ReadContext<Identity>,
): Promise<LocatedList<Item>> {
  const {
    identity,
    limit,
    position,
    session,
    overrides = null,
    refusedLately = [],
    beyond = false,
  } = context;
  const all = session.runsPages === true ? (ladder.browser ?? ladder.routes) : ladder.routes;
  const { routes, part } = routesAt(all, position);
  const subject = await (ladder.resolve?.(identity, session, part) ?? (identity as unknown as Subject));
  const asked: Asked<Subject> = { identity: subject, limit, part, session, overrides, refusedLately };
  const { answer, route, failed } = await walk({ ...ladder, routes }, asked);
  const { next, emptyProof, ended = 'unknown', ignored = [] } = answer;
  const ids = answer.ids ?? answer.items.map(({ source }) => source.id ?? '');
  if (answer.endsEarly === true && beyond) {
    return { data: [], sources: [], ids: [], next: null, endsEarly: true, emptyProof: { leftOut: 1 } };
  }
  let items = answer.items.map((row) => ({ read: readBy(row.item, route, row), source: row.source }));
  let brief = answer.brief === true;
  for (const { route: other, fields } of part === null ? (ladder.joins ?? []) : []) {
    const lacks = items.some(({ read }) => fields.some((field) => read.data[field] === null));
    if (other === route || failed.includes(other) || !lacks) continue;
    try {
      const rows = new Map((await ask(other, asked)).items.map((row) => [row.source.id, row.item]));
      items = items.map(({ read, source }) => {
        const row = source.id === null ? undefined : rows.get(source.id);
        return { read: row === undefined ? read : merge(read, readBy(row, other)), source };
      });
    } catch (error) {
      if (!isOutcome(error)) throw error;
      brief = true;
    }
  }
  const completed =
    ladder.items === undefined || answer.isWhole === true
      ? { items, whole: true, total: null }
      : await completeItems(ladder.items, items, asked);
  return {
    data: completed.items.map(({ read }) => read.data),
    sources: completed.items.map(({ source }) => ({ route: route.name, ...source })),
    ids,
    next: positionIn(route, next),
    brief: brief || !completed.whole,
    endsEarly: answer.endsEarly === true,
    isEnd: ended === 'end' && next === null,
    emptyProof,
    total: answer.total ?? emptyProof.total ?? completed.total,
    ended: next === null ? ended : 'more',
    ignored,
    rounded: [...new Set(completed.items.flatMap(({ read }) => [...read.rounded]))],
  };
}
