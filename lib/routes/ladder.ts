import type { PageItemSource } from '../read/item-source.js';
import { type ListLadder, readList } from './list-ladder.js';
import { type ObjectLadder, readObject } from './object-ladder.js';
import type { LocatedList, ReadContext, ReadResult } from './reading.js';
import type { Route } from './route.js';

/** What people are told of a route. */
export type RouteFacts = Pick<Route<never, unknown>, 'name' | 'reads' | 'surface' | 'seen' | 'fills'>;

/** The routes of an endpoint, and its reader. */
export interface Ladder<Identity, Answer> {
  readonly routes: readonly RouteFacts[];
  read(context: ReadContext<Identity>): Promise<Answer>;
}

const unique = (routes: readonly RouteFacts[]) => [...new Set(routes)];

/** The ladder of an endpoint that answers one object. */
export function objectLadder<Identity, Data extends object, Subject = Identity>(
  ladder: ObjectLadder<Identity, Data, Subject>,
): Ladder<Identity, ReadResult<Data> & { readonly sources: readonly PageItemSource[] }> {
  const completing = (ladder.completes ?? []).map(({ route }) => route);
  return {
    routes: unique([...ladder.routes, ...completing, ...(ladder.witnesses ?? [])]),
    read: (context) => readObject(ladder, context),
  };
}

/** The ladder of an endpoint that answers a list. */
export function listLadder<Identity, Item extends object, Subject = Identity>(
  ladder: ListLadder<Identity, Item, Subject>,
): Ladder<Identity, LocatedList<Item>> {
  const joined = (ladder.joins ?? []).map(({ route }) => route);
  const completing = (ladder.items?.routes ?? []).map(({ route }) => route);
  return {
    routes: unique([...ladder.routes, ...joined, ...completing, ...(ladder.witnesses ?? [])]),
    read: (context) => readList(ladder, context),
  };
}
