import type { PageItemSource } from '../read/item-source.js';
import { type ListLadder, readList } from './list-ladder.js';
import { type ObjectLadder, readObject } from './object-ladder.js';
import type { LocatedList, ReadContext, ReadResult } from './reading.js';
import { type CallRequests, requestsOf } from './requests.js';
import type { RouteFacts } from './route.js';
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
import { requestTo } from './walk.js';

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
