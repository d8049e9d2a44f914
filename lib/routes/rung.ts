import type { PageItemSource } from '../read/item-source.js';
import type { Json } from '../read/json.js';
import type { ItemLadder } from './complete-items.js';
import type { ObjectReading, Part, Route, RouteFacts } from './route.js';
import { ask, type RouteRequest } from './walk.js';

/** What a route does for its endpoint. */
export type Role =
  /** Identifies the subject for the other routes. */
  | 'resolves'
  /** Returns the object, or the list. */
  | 'answers'
  /** Returns the next part of a list that another route began. */
  | 'continues'
  /** Fills what the answer of another route lacks. */
  | 'completes'
  /** Returns one item of the list, from its own page. */
  | 'item'
  /** Confirms that a subject is missing. */
  | 'witness'
  /** Returns the object or the list in a browser only. */
  | 'browser';

/** What a call knows of a subject for which a route is used alone: an answer, or the first item of a list. */
export interface SubjectFacts {
  readonly item: object;
  readonly source: PageItemSource;
  readonly next: Json;
}

export interface RouteAnswer {
  readonly items: readonly object[];
  readonly sources: readonly PageItemSource[];
  readonly next: Json;
}

export interface Rung<Subject> {
  readonly route: RouteFacts;
  readonly role: Role;
  /** Uses the route alone; null if nothing identifies its subject. */
  ask(request: RouteRequest<Subject>, facts: SubjectFacts | null): Promise<RouteAnswer | null>;
}

/** A route that serves the others, and its input; null for none. */
export interface Aid<Subject> {
  readonly route: RouteFacts;
  by(request: RouteRequest<Subject>, facts: SubjectFacts | null): Promise<unknown> | null;
}

/** Creates an aid. `by` derives the route's input from the subject, or from what the call knows of it. */
export const aid = <Subject, Identity>(
  route: Route<Identity, unknown>,
  by: (subject: Subject, facts: SubjectFacts | null) => Identity | null,
): Aid<Subject> => ({
  route,
  by(request, facts) {
    const identity = by(request.identity, facts);
    return identity === null ? null : ask(route, { ...request, identity });
  },
});

const nothing: RouteAnswer = { items: [], sources: [], next: null };

const objectAnswer = ({ data, source }: ObjectReading<object>): RouteAnswer => ({
  items: [data],
  sources: [source],
  next: null,
});

/** Creates a rung for a route whose answer is not an item. */
export const aidRung =
  <Subject>(role: Role) =>
  ({ route, by }: Aid<Subject>): Rung<Subject> => ({
    route,
    role,
    async ask(request, facts) {
      const answer = by(request, facts);
      if (answer === null) return null;
      await answer;
      return nothing;
    },
  });

export const witnessRung = <Subject>(route: Route<Subject, unknown>): Rung<Subject> =>
  aidRung<Subject>('witness')(aid(route, (subject) => subject));

export const objectRung =
  <Subject>(role: Role) =>
  (route: Route<Subject, ObjectReading<object>>): Rung<Subject> => ({
    route,
    role,
    async ask(request, facts) {
      if (route.applies?.(request.identity) === false) return null;
      if (role !== 'completes') return objectAnswer(await ask(route, request));
      return facts === null ? null : objectAnswer(await ask(route, { ...request, merged: facts.item }));
    },
  });

export const listRung =
  <Subject>(role: Role) =>
  (route: Route<Subject, Part<object>>): Rung<Subject> => ({
    route,
    role,
    async ask(request) {
      if (route.applies?.(request.identity) === false) return null;
      const { items, next } = await ask(route, request);
      return { items: items.map(({ item }) => item), sources: items.map(({ source }) => source), next };
    },
  });

/** Creates the rungs of routes to a list's items; each is used for the known item. */
export const itemRungs = <Item extends object, Subject>({
  routes,
  identify = (item) => item,
}: ItemLadder<Item, Subject>): Rung<Subject>[] =>
  routes.map(({ route }) => ({
    route,
    role: 'item',
    async ask(request, facts) {
      if (facts === null || facts.source.id === null) return null;
      const { id, url } = facts.source;
      const identity = identify({ id, url }, request.identity) as never;
      return objectAnswer(await ask(route, { ...request, identity }));
    },
  }));
