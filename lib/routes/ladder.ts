import type { PageItemSource } from '../read/item-source.js';
import { at, type Json } from '../read/json.js';
import type { PageSession } from '../web/page-source.js';
import { completeItems, type ItemLadder } from './complete-items.js';
import { type MergedObject, merge, readBy } from './merge.js';
import type { LocatedList, ReadContext, ReadResult } from './reading.js';
import { type CallRequests, requestsOf } from './requests.js';
import type { ObjectReading, Part, Route, RouteFacts } from './route.js';
import {
  type Aid,
  aidRung,
  itemRungs,
  listRung,
  objectRung,
  type Role,
  type RouteAnswer,
  type Rung,
  type SubjectFacts,
  witnessRung,
} from './rung.js';
import { ask, isOutcome, pageName, requestTo, routesIn, type Steps, walk } from './walk.js';

export interface ObjectLadder<Identity, Data extends object, Subject = Identity>
  extends Steps<Identity, ObjectReading<Data>, Subject> {
  /**
   * Routes worth another request for what an answer lacks, with the fields that justify it. Each is used at most once,
   * in order, if one of its fields is null or rounded. They receive what was found before.
   */
  readonly completes?: readonly {
    readonly route: Route<Subject, ObjectReading<Partial<Data>>>;
    readonly fields: readonly (keyof Data & string)[];
    /** True for answers that are worth it; by default all. */
    readonly when?: (answer: ObjectReading<Data>, session: PageSession) => boolean;
  }[];
}

/** True if both identify one subject. A source without an ID identifies none. */
const isSame = (one: PageItemSource, other: PageItemSource) =>
  one.id === null || other.id === null ? one.url === other.url : one.id === other.id;

/** True if a failed route would have filled a field that is missing or rounded in the answer. */
function isThin<Data extends object>(
  { data, rounded }: MergedObject<Data>,
  routes: readonly Route<never, unknown>[],
  failed: readonly Route<never, unknown>[],
): boolean {
  const isKnown = (field: string) => routes.some(({ fills }) => fills?.[field] === undefined);
  const lacking = Object.entries(data).flatMap(([field, value]) =>
    (value === null && !isKnown(field)) || rounded.has(field) ? [field] : [],
  );
  return failed.some(({ fills }) => lacking.some((field) => fills?.[field] === undefined));
}

/** Reads one object by its ladder: from the first route that has it, completed by the routes that the ladder lists. */
async function readObject<Identity, Data extends object, Subject = Identity>(
  ladder: ObjectLadder<Identity, Data, Subject>,
  context: ReadContext<Identity>,
): Promise<ReadResult<Data> & { readonly sources: readonly PageItemSource[] }> {
  const { session } = context;
  const request = await requestTo(ladder.resolve, context, null);
  const routes = routesIn(ladder, session);
  const { answer, route, failed } = await walk({ ...ladder, routes }, request);
  const { source } = answer;
  let merged = readBy(answer.data, route, answer);
  let brief = answer.brief === true;
  const doneRoutes = new Set<Route<Subject, ObjectReading<Partial<Data>>>>([route, ...failed]);
  const remainingRoutes: Route<Subject, ObjectReading<Partial<Data>>>[] = [...failed];
  const answeringRoutes: Route<Subject, ObjectReading<Partial<Data>>>[] = [route];
  for (const { route: other, fields, when = () => true } of ladder.completes ?? []) {
    const lacks = fields.some((field) => merged.data[field] === null || merged.rounded.has(field));
    if (doneRoutes.has(other) || !lacks || !when(answer, session)) continue;
    doneRoutes.add(other);
    try {
      const addition = await ask(other, { ...request, merged: merged.data });
      if (!isSame(source, addition.source)) continue;
      merged = merge(merged, readBy(addition.data, other, addition));
      answeringRoutes.push(other);
    } catch (error) {
      if (!isOutcome(error)) throw error;
      remainingRoutes.push(other);
    }
  }
  brief ||= isThin(merged, answeringRoutes, remainingRoutes);
  return {
    data: merged.data,
    sources: [{ ...source, route: pageName(route, session) }],
    brief,
    rounded: [...merged.rounded],
  };
}

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
async function readList<Identity, Item extends object, Subject = Identity>(
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

export interface Ladder<Identity, Answer> {
  /** In order of use: those that serve the others first, witnesses and browsers last. */
  readonly routes: readonly RouteFacts[];
  /** Returns the number of requests of a call for `limit` items. */
  requests(limit: number, refusedLately?: readonly string[]): CallRequests;
  readonly roles: Readonly<Record<string, Role>>;
  read(context: ReadContext<Identity>): Promise<Answer>;
  /** Uses one route alone; null if nothing identifies its subject. */
  readAlone(
    name: string,
    context: ReadContext<Identity>,
    facts: SubjectFacts | null,
  ): Promise<RouteAnswer | null>;
}

/** Routes that serve the others of a ladder. */
interface Aids<Subject> {
  readonly resolves?: readonly Aid<Subject>[];
  readonly continues?: readonly Aid<Subject>[];
}

interface Resolving<Identity, Subject> extends Aids<Subject> {
  readonly resolve?: ObjectLadder<Identity, object, Subject>['resolve'];
}

/** Everything but `read` and `requests`. A route with several roles has the first of them. */
function rungsOf<Identity, Subject>(
  { resolve, resolves = [], continues = [] }: Resolving<Identity, Subject>,
  mainRungs: readonly Rung<Subject>[],
  last: readonly Rung<Subject>[],
): Omit<Ladder<Identity, never>, 'read' | 'requests'> {
  const all = [
    ...resolves.map(aidRung<Subject>('resolves')),
    ...mainRungs,
    ...continues.map(aidRung<Subject>('continues')),
    ...last,
  ];
  const rungs = new Map<RouteFacts, Rung<Subject>>();
  for (const rung of all) if (!rungs.has(rung.route)) rungs.set(rung.route, rung);
  const byName = new Map([...rungs.values()].map((rung) => [rung.route.name, rung]));
  return {
    routes: [...rungs.keys()],
    roles: Object.fromEntries([...byName].map(([name, { role }]) => [name, role])),
    async readAlone(name, context, facts) {
      const rung = byName.get(name);
      if (rung === undefined) throw new TypeError(`There is no route ${name}.`);
      const source = rung.role === 'completes' ? facts?.source : undefined;
      return rung.ask(await requestTo(resolve, { ...context, refusedLately: [] }, null, source), facts);
    },
  };
}

export function objectLadder<Identity, Data extends object, Subject = Identity>(
  ladder: ObjectLadder<Identity, Data, Subject> & Aids<Subject>,
): Ladder<Identity, ReadResult<Data> & { readonly sources: readonly PageItemSource[] }> {
  const { routes, completes = [], witnesses = [], browser = [] } = ladder;
  return {
    ...rungsOf(
      ladder,
      [
        ...routes.map(objectRung('answers')),
        ...completes.map(({ route }) => objectRung<Subject>('completes')(route)),
      ],
      [...witnesses.map(witnessRung), ...browser.map(objectRung('browser'))],
    ),
    requests: (limit, refusedLately) =>
      requestsOf({ routes, completing: completes, items: [], witnesses }, limit, refusedLately),
    read: (context) => readObject(ladder, context),
  };
}

export function listLadder<Identity, Item extends object, Subject = Identity>(
  ladder: ListLadder<Identity, Item, Subject> & Aids<Subject>,
): Ladder<Identity, LocatedList<Item>> {
  const { routes, joins = [], items, witnesses = [], browser = [] } = ladder;
  return {
    ...rungsOf(
      ladder,
      [
        ...routes.map(listRung('answers')),
        ...joins.map(({ route }) => listRung<Subject>('completes')(route)),
        ...(items === undefined ? [] : itemRungs(items)),
      ],
      [...witnesses.map(witnessRung), ...browser.map(listRung('browser'))],
    ),
    requests: (limit, refusedLately) =>
      requestsOf({ routes, completing: joins, items: items?.routes ?? [], witnesses }, limit, refusedLately),
    read: (context) => readList(ladder, context),
  };
}
