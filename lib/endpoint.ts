import * as z from 'zod';
import { flag, integer } from './params/vocabulary.js';
import type { Platform } from './platforms.js';
import type { Json } from './read/json.js';
import type { Ladder } from './routes/ladder.js';
import type { LocatedList, ReadContext, ReadResult, WithSources } from './routes/reading.js';
import type { CallRequests } from './routes/requests.js';
import type { RouteFacts } from './routes/route.js';
import type { Role, RouteAnswer, SubjectFacts } from './routes/rung.js';
import type { CallSignal } from './runtime/abort.js';
import type { Schema } from './schema.js';
import { firstSurface, type PageSource, type Site } from './web/page-source.js';

type Shape = Record<string, z.ZodType>;

const common = () => ({
  fresh: flag('Skip the cache and fetch now; charged as usual.').default(false),
  demo: flag('Return sample data: no network, no key, no charge.').default(false),
  sources: flag('Add to each item its ID, URL, author, position and time of reading.').default(false),
});

const paged = (max: number) => ({
  limit: integer(1, max, 'Items per page.').default(max),
  cursor: z.string().min(1).max(4096).optional().describe('`meta.next_cursor` of the previous page.'),
});

interface Definition<Own extends Shape, Item extends z.ZodType, Identity, Many extends boolean> {
  /** Platform word, slash, endpoint word: the path in the API, the command and the folder of fixtures. */
  readonly path: `${Platform}/${string}`;
  /** Operation name of the contract, snake_case. */
  readonly operation: string;
  /** One line for lists and help: the title with the platform's real name, a colon, and what the answer contains. */
  readonly summary: string;
  /** Facts about the data that a user must know: its source, its limits. Markdown paragraphs. */
  readonly description: string;
  readonly credits: number;
  /** How long an answer stays in the cache. */
  readonly cacheSeconds: number;
  readonly site: Site;
  /**
   * The endpoint's own parameters. Those in `exactlyOne` are written as required. Created on first use, because every
   * program loads all endpoints, but a call uses one.
   */
  readonly params: () => Own;
  /** Two parameters, exactly one of which identifies the subject. */
  readonly exactlyOne?: readonly [keyof Own & string, keyof Own & string];
  /** Old name → new name. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** For lists with pages: the largest page, which is also the default. */
  readonly page?: { readonly max: number };
  /** Schema of the object, or of each object in the list. */
  readonly returns: Item;
  readonly many: Many;
  /** Fields of a list that a table shows, the most interesting first and IDs last: `name`, or `author.name`. */
  readonly columns?: Many extends true ? readonly string[] : never;
  /**
   * Reduces the parameters to an identity: names without decoration, IDs instead of URLs. Calls with equal identities
   * share a cache entry, and a cursor is bound to one. Offline and pure; throws `invalid_url` or `invalid_parameter`.
   */
  identify(params: OwnParams<Own>): Identity;
  /**
   * Generates sample pages for an input that no sample covers, from the first sample, whose identity is `sampled`.
   * Without it, the sample's answer is varied instead.
   */
  inventPages?(samples: PageSource, sampled: Identity, identity: Identity): PageSource;
  /** Returns the parameters that the items of a varied sample do not match. */
  ignoredBySample?(
    items: readonly z.output<Item>[],
    identity: Identity,
    answeredAt: string,
  ): readonly string[];
  /** The public routes to the answer. */
  readonly ladder?: Ladder<Identity, AnswerOf<Item, Many>>;
  /** Reads without routes. */
  read?(context: ReadContext<Identity>): Promise<AnswerOf<Item, Many>>;
}

type AnswerOf<Item extends z.ZodType, Many extends boolean> = Many extends true
  ? LocatedList<z.output<Item>>
  : ReadResult<z.output<Item>> & WithSources;

/** The endpoint's own checked parameters; one of an “exactly one of” pair is absent. */
type OwnParams<Own extends Shape> = { readonly [K in keyof Own]?: z.output<Own[K]> | undefined };

/** A row of the table of endpoints. `Input` is what callers pass, `Data` what they receive. */
export interface Endpoint<Input = unknown, Data = unknown> {
  /** Path in the API and words of the command, such as `maps/place`. */
  readonly path: `${Platform}/${string}`;
  /** The first word of the path. */
  readonly platform: Platform;
  /** The word after the platform. */
  readonly name: string;
  /** Name of the operation in the contract, such as `get_place`. */
  readonly operation: string;
  /** A short, unique name: “TikTok profile”. */
  readonly title: string;
  /** One line: the title, a colon, and what the answer contains. */
  readonly summary: string;
  /** Facts about the data that a user must know, in Markdown. */
  readonly description: string;
  /** Price of a call. */
  readonly credits: number;
  /** How long an answer stays in the cache. */
  readonly cacheSeconds: number;
  /**
   * How to request the platform's pages.
   * @internal
   */
  readonly site: Site;
  /** Every parameter in the documented order, as schemas; the pair of `exactlyOne` optional. */
  readonly params: Readonly<Record<string, Schema>>;
  /** Two parameters, exactly one of which is required; null if there is no such pair. */
  readonly exactlyOne: readonly [string, string] | null;
  /** Old names of parameters, with the new ones. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Page size of a list; null for an endpoint without pages. */
  readonly page: {
    /** The largest page, which is also the default. */
    readonly max: number;
  } | null;
  /** Schema of the object, or of each object in the list. */
  readonly returns: Schema;
  /** True if the answer is a list. */
  readonly many: boolean;
  /** Fields of a list that a table shows, the most interesting first and IDs last. */
  readonly columns?: readonly string[];
  /**
   * Reduces checked parameters to an identity. Throws `invalid_url` or `invalid_parameter`.
   * @internal
   */
  identify(params: Readonly<Record<string, unknown>>): Readonly<Record<string, Json>>;
  /**
   * Generates pages for a demo that no sample covers. Without it, the sample's answer is varied instead.
   * @internal
   */
  readonly inventPages?: (
    samples: PageSource,
    sampled: Readonly<Record<string, Json>>,
    identity: Readonly<Record<string, Json>>,
  ) => PageSource;
  /**
   * The parameters that the items of a varied sample do not meet. Without it, each has its effect.
   * @internal
   */
  readonly ignoredBySample?: (
    items: readonly unknown[],
    identity: Readonly<Record<string, Json>>,
    answeredAt: string,
  ) => readonly string[];
  /**
   * The public routes to the answer, in the order in which they are tried, followed by witnesses of “not found” and
   * browser routes.
   * @internal
   */
  readonly routes: readonly RouteFacts[];
  /**
   * Returns how many requests a call for `limit` items takes, by surface. Skips surfaces that refused within the hour.
   * @internal
   */
  requests(limit: number, refusedLately?: readonly string[]): CallRequests;
  /**
   * The role of each route, by name.
   * @internal
   */
  readonly roles: Readonly<Record<string, Role>>;
  /**
   * Reads one page of an answer.
   * @internal
   */
  read(context: ReadContext<Readonly<Record<string, Json>>>): Promise<ReadResult<Data>>;
  /**
   * Reads a single route; null if `facts` lacks what the route needs.
   * @internal
   */
  readAlone?(
    name: string,
    context: ReadContext<Readonly<Record<string, Json>>>,
    facts: SubjectFacts | null,
  ): Promise<RouteAnswer | null>;
  /** Only carries types; always undefined. */
  readonly types?: {
    /** The parameters that callers pass. */
    readonly input: Input;
    /** The object that they receive. */
    readonly data: Data;
  };
}

/** Options in addition to the parameters. */
export interface FunctionOptions {
  /** Aborts the call with the signal's reason, and refunds its charge. */
  readonly signal?: CallSignal | undefined;
}

/** An object with exactly one of two keys of `T`. */
type Either<T, A extends keyof T, B extends keyof T> =
  | ({ [K in A]-?: T[K] } & { [K in B]?: undefined })
  | ({ [K in B]-?: T[K] } & { [K in A]?: undefined });

type InputOf<Own extends Shape> = z.input<z.ZodObject<Own>>;
type Paged = { limit?: number | undefined; cursor?: string | undefined };
type Common = { fresh?: boolean | undefined; demo?: boolean | undefined; sources?: boolean | undefined };

/** What callers pass: the endpoint's own parameters, one of the pair, and the common ones. */
export type CallInput<Own extends Shape, One, Page> = (One extends readonly [infer A, infer B]
  ? Omit<InputOf<Own>, Extract<A | B, string>> &
      Either<InputOf<Own>, A & keyof InputOf<Own>, B & keyof InputOf<Own>>
  : InputOf<Own>) &
  (Page extends { max: number } ? Paged : unknown) &
  Common;

/** The facts of an endpoint without routes, which takes one request. */
function withoutLadder({ site }: Pick<Endpoint, 'site'>): Pick<Endpoint, 'routes' | 'roles' | 'requests'> {
  const one = { [firstSurface(site)]: 1 };
  return { routes: [], roles: {}, requests: () => ({ expected: one, most: one }) };
}

/**
 * Creates a row of the table, with the common parameters `limit`, `cursor`, `fresh`, `demo` and `sources`. Routes,
 * commands, tools, documentation and tests are derived from it.
 */
export function defineEndpoint<
  Own extends Shape,
  Item extends z.ZodType,
  Identity extends Readonly<Record<string, Json>>,
  Many extends boolean,
  const One extends readonly [keyof Own & string, keyof Own & string] | undefined = undefined,
  const Page extends { readonly max: number } | undefined = undefined,
>(
  definition: Omit<Definition<Own, Item, Identity, Many>, 'exactlyOne' | 'page'> & {
    readonly exactlyOne?: One;
    readonly page?: Page;
  },
): Endpoint<CallInput<Own, One, Page>, Many extends true ? z.output<Item>[] : z.output<Item>> {
  const [platform, name] = definition.path.split('/') as [Platform, string];
  const { page = null, exactlyOne = null, renamed = {} } = definition;
  let schemas: Endpoint['params'] | undefined;
  const make = () => {
    const params: Record<string, z.ZodType> = {};
    for (const [key, schema] of Object.entries(definition.params())) {
      params[key] = exactlyOne?.includes(key) === true ? schema.optional() : schema;
    }
    return Object.freeze({ ...params, ...(page === null ? {} : paged(page.max)), ...common() });
  };
  return Object.freeze({
    ...(definition as unknown as Endpoint),
    ...(definition.ladder ?? withoutLadder(definition)),
    platform,
    name,
    title: definition.summary.split(':')[0] ?? name,
    get params() {
      schemas ??= make();
      return schemas;
    },
    exactlyOne,
    renamed,
    page,
  }) as ReturnType<typeof defineEndpoint<Own, Item, Identity, Many, One, Page>>;
}

/** In table order; filled by lib/endpoints.ts. */
export const registeredEndpoints: Endpoint[] = [];
