import type { PageItemSource } from '../read/item-source.js';
import type { Json } from '../read/json.js';
import type { ItemLadder } from './complete-items.js';
import type { Found, Part, Route, RouteFacts } from './route.js';
import { type Asked, ask } from './walk.js';

/** What a route does for its endpoint. */
export type Role =
  /** Identifies the subject in the form that the other routes take. */
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
export interface Known {
  readonly item: object;
  readonly source: PageItemSource;
  /** The position of the list's next part. */
  readonly next: Json;
}

/** What one route returned alone. */
export interface Given {
  readonly items: readonly object[];
  readonly sources: readonly PageItemSource[];
  readonly next: Json;
}

/** A route at its place in a ladder. */
export interface Rung<Subject> {
  readonly route: RouteFacts;
  readonly role: Role;
  /** Uses the route alone; null if there is nothing to identify its subject by. */
  ask(asked: Asked<Subject>, known: Known | null): Promise<Given | null>;
}

/** A route that serves the others, and its input; null if there is none. */
export interface Aid<Subject> {
  readonly route: RouteFacts;
  by(asked: Asked<Subject>, known: Known | null): Promise<unknown> | null;
}

/** Creates an aid. `by` derives the route's input from the subject, or from what the call knows of it. */
export const aid = <Subject, Identity>(
  route: Route<Identity, unknown>,
  by: (subject: Subject, known: Known | null) => Identity | null,
): Aid<Subject> => ({
  route,
  by(asked, known) {
    const identity = by(asked.identity, known);
    return identity === null ? null : ask(route, { ...asked, identity });
  },
});

const nothing: Given = { items: [], sources: [], next: null };

const givenObject = ({ data, source }: Found<object>): Given => ({
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
    async ask(asked, known) {
      const answer = by(asked, known);
      if (answer === null) return null;
      await answer;
      return nothing;
    },
  });

export const witnessRung = <Subject>(route: Route<Subject, unknown>): Rung<Subject> =>
  aidRung<Subject>('witness')(aid(route, (subject) => subject));

export const objectRung =
  <Subject>(role: Role) =>
  (route: Route<Subject, Found<object>>): Rung<Subject> => ({
    route,
    role,
    async ask(asked, known) {
      if (route.applies?.(asked.identity) === false) return null;
      if (role !== 'completes') return givenObject(await ask(route, asked));
      return known === null ? null : givenObject(await ask(route, { ...asked, found: known.item }));
    },
  });

export const listRung =
  <Subject>(role: Role) =>
  (route: Route<Subject, Part<object>>): Rung<Subject> => ({
    route,
    role,
    async ask(asked) {
      if (route.applies?.(asked.identity) === false) return null;
      const { items, next } = await ask(route, asked);
      return { items: items.map(({ item }) => item), sources: items.map(({ source }) => source), next };
    },
  });

/** Creates the rungs of routes to the items of a list; each is used for the known item. */
export const itemRungs = <Item extends object, Subject>({
  routes,
  identify = (item) => item,
}: ItemLadder<Item, Subject>): Rung<Subject>[] =>
  routes.map(({ route }) => ({
    route,
    role: 'item',
    async ask(asked, known) {
      if (known === null || known.source.id === null) return null;
      const { id, url } = known.source;
      const identity = identify({ id, url }, asked.identity) as never;
      return givenObject(await ask(route, { ...asked, identity }));
    },
  }));
