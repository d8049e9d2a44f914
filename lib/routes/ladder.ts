import type { PageItemSource } from '../read/item-source.js';
import { type ListLadder, readList } from './list-ladder.js';
import { type ObjectLadder, readObject } from './object-ladder.js';
import type { LocatedList, ReadContext, ReadResult } from './reading.js';
import { type CallRequests, requestsOf } from './requests.js';
import type { Route } from './route.js';

/** What people are told of a route. */
export type RouteFacts = Pick<Route<never, unknown>, 'name' | 'reads' | 'surface' | 'seen' | 'fills'>;

/** The routes of an endpoint, and its reader. */
export interface Ladder<Identity, Answer> {
  readonly routes: readonly RouteFacts[];
  /** The requests of a call for so many items. */
  requests(limit: number): CallRequests;
  read(context: ReadContext<Identity>): Promise<Answer>;
}

const unique = (routes: readonly RouteFacts[]) => [...new Set(routes)];

/** The ladder of an endpoint that answers one object. */
export function objectLadder<Identity, Data extends object, Subject = Identity>(
  ladder: ObjectLadder<Identity, Data, Subject>,
): Ladder<Identity, ReadResult<Data> & { readonly sources: readonly PageItemSource[] }> {
  const { completes = [], witnesses = [] } = ladder;
  const completing = completes.map(({ route }) => route);
  return {
    routes: unique([...ladder.routes, ...completing, ...witnesses]),
    requests: (limit) =>
      requestsOf({ routes: ladder.routes, completing: completes, items: [], witnesses }, limit),
    read: (context) => readObject(ladder, context),
  };
}

/** The ladder of an endpoint that answers a list. */
export function listLadder<Identity, Item extends object, Subject = Identity>(
  ladder: ListLadder<Identity, Item, Subject>,
): Ladder<Identity, LocatedList<Item>> {
  const { joins = [], witnesses = [], items: { routes: items = [] } = {} } = ladder;
  const completing = [...joins, ...items].map(({ route }) => route);
  return {
    routes: unique([...ladder.routes, ...completing, ...witnesses]),
    requests: (limit) => requestsOf({ routes: ladder.routes, completing: joins, items, witnesses }, limit),
    read: (context) => readList(ladder, context),
  };
}
