import { at, type Json } from '../read/json.js';
import { completeItems, type ItemLadder } from './complete-items.js';
import { merge, readBy } from './merge.js';
import type { LocatedList, ReadContext } from './reading.js';
import type { Part, Route } from './route.js';
import { ask, isOutcome, pageName, requestTo, routesIn, type Steps, walk } from './walk.js';

export interface ListLadder<Identity, Item extends object, Subject = Identity>
  extends Steps<Identity, Part<Item>, Subject> {
  /** Routes to the same list whose rows fill the answer's nulls, by ID, on the first part. */
  readonly joins?: readonly {
    readonly route: Route<Subject, Part<Item>>;
    readonly fields: readonly (keyof Item & string)[];
    /** True if this route continues the list once it has every row, because its next rows are as complete. */
    readonly leadsOn?: boolean;
  }[];
  readonly items?: ItemLadder<Item, Subject>;
}

/** A position in the list, for cursors: the route that returned it, and the route's own position. */
const positionIn = (route: Route<never, unknown>, next: Json): Json =>
  next === null ? null : { route: route.name, at: next };

/**
 * Returns the routes that understand a position. Positions of an earlier version name none and belong to the first
 * route.
 */
function routesAt<Identity, Item extends object>(
  routes: readonly Route<Identity, Part<Item>>[],
  position: Json,
): { readonly routes: readonly Route<Identity, Part<Item>>[]; readonly part: Json } {
  if (position === null) return { routes, part: null };
  const name = at(position, 'route');
  const namedRoute = routes.find((route) => route.name === name);
  return namedRoute === undefined
    ? { routes: routes.slice(0, 1), part: position }
    : { routes: [namedRoute], part: at(position, 'at') as Json };
}

/** Reads one page of a list by its ladder. */
export async function readList<Identity, Item extends object, Subject = Identity>(
  ladder: ListLadder<Identity, Item, Subject>,
  context: ReadContext<Identity>,
): Promise<LocatedList<Item>> {
  const { position, session, beyond = false } = context;
  const { routes, part } = routesAt(routesIn(ladder, session), position);
  const request = await requestTo(ladder.resolve, context, part);
  const { answer, route, failed } = await walk({ ...ladder, routes }, request);
  const { next, emptyProof, ended = 'unknown', ignored = [] } = answer;
  const ids = answer.ids ?? answer.items.map(({ source }) => source.id ?? '');
  if (answer.endsEarly === true && beyond) {
    return { data: [], sources: [], ids: [], next: null, endsEarly: true, emptyProof: { leftOut: 1 } };
  }
  let items = answer.items.map(({ item, source, ...page }) => ({ read: readBy(item, route, page), source }));
  let nextPosition = positionIn(route, next);
  const refusedFields: (keyof Item & string)[] = [];
  for (const { route: other, fields, leadsOn = false } of part === null ? (ladder.joins ?? []) : []) {
    const lacks = items.some(({ read }) => fields.some((field) => read.data[field] === null));
    if (other === route || failed.includes(other) || !lacks) continue;
    try {
      const joinedPage = await ask(other, request);
      const rows = new Map(joinedPage.items.map((row) => [row.source.id, row]));
      const isComplete = items.every(({ source }) => rows.has(source.id));
      if (leadsOn && isComplete && joinedPage.next !== null)
        nextPosition = positionIn(other, joinedPage.next);
      items = items.map(({ read, source }) => {
        const row = source.id === null ? undefined : rows.get(source.id);
        return { read: row === undefined ? read : merge(read, readBy(row.item, other, row)), source };
      });
    } catch (error) {
      if (!isOutcome(error)) throw error;
      refusedFields.push(...fields);
    }
  }
  const completed =
    ladder.items === undefined || answer.isComplete === true
      ? { items, isComplete: true, total: null }
      : await completeItems(ladder.items, items, request, context.knownItems);
  const lacksRefused = completed.items.some(({ read }) =>
    refusedFields.some((field) => read.data[field] === null),
  );
  return {
    data: completed.items.map(({ read }) => read.data),
    sources: completed.items.map(({ source }) => ({ route: pageName(route, session), ...source })),
    ids,
    next: nextPosition,
    brief: answer.brief === true || !completed.isComplete || lacksRefused,
    endsEarly: answer.endsEarly === true,
    emptyProof,
    total: answer.total ?? emptyProof.total ?? completed.total,
    ended: nextPosition === null ? ended : 'more',
    ignored,
    rounded: [...new Set(completed.items.flatMap(({ read }) => [...read.rounded]))],
  };
}
