import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import type { Services } from '../../../lib/call/call.js';
import { firstPosition, openCursor, sealCursor } from '../../../lib/call/cursor.js';
import { parseParams } from '../../../lib/params/parse.js';
import { parseQuery, queryText } from '../../../lib/params/query.js';
import type { KeyOwner } from '../../service/accounts/accounts.js';
import type { Access } from '../../service/limits/access.js';
import type { Plain } from './openapi/schemas.js';

type Shape = Readonly<Record<string, z.ZodType>>;
type QueryOf<Params extends Shape> = { readonly [Name in keyof Params]: z.output<Params[Name]> };

/** A route of the account and its jobs: its path, parameters, answer, and documentation. */
export interface ApiRoute<Params extends Shape = Shape> {
  readonly method: 'get' | 'post';
  /** Such as `/jobs/{id}`. */
  readonly path: string;
  readonly operationId: string;
  /** Omitted for `jobs`. */
  readonly tag?: 'account';
  readonly summary: string;
  /** Omitted if the route is free and needs no further explanation. */
  readonly description?: string;
  /** Query parameters. */
  readonly params?: Params;
  /** Header parameters, in OpenAPI's form. */
  readonly headers?: readonly Plain[];
  /** JSON Schema of the body. */
  readonly body?: Plain;
  readonly answer?: {
    readonly description: string;
    /** The object in `data`, or the item of the list if `many`. */
    readonly data: z.ZodType;
    readonly many?: boolean;
    /** True if `meta` has a cursor for the next page. */
    readonly isPaged?: boolean;
    /** Omitted for 200. */
    readonly status?: number;
  };
  /** The responses without an envelope, by status. */
  readonly responses?: Plain;
  /** Error statuses beyond those that every route of its kind has. */
  readonly refusals?: readonly number[];
}

export function apiRoute<Params extends Shape = Record<never, never>>(
  route: ApiRoute<Params>,
): ApiRoute<Params> {
  return route;
}

/** Returns the URL in the router's syntax. */
export const urlOf = ({ path }: Pick<ApiRoute, 'path'>) => `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;

/** Parses the query of a request. Throws `invalid_parameter`, also for an unknown parameter. */
export function queryOf<Params extends Shape>(
  { path, params = {} as Params }: Pick<ApiRoute<Params>, 'path' | 'params'>,
  request: FastifyRequest,
): QueryOf<Params> {
  const queryValues = parseQuery(queryText(request));
  const route = { path: path.slice(1), params, exactlyOne: null, renamed: {} };
  return parseParams(route, queryValues, true) as QueryOf<Params>;
}

interface HandlerInput<Params extends Shape> {
  readonly owner: KeyOwner;
  readonly query: QueryOf<Params>;
  /** The `{id}` in the path. */
  readonly id: string;
  readonly request: FastifyRequest;
}

interface HandlerResult {
  readonly data: unknown;
  /** The cursor of the next page; null on the last page, omitted without pages. */
  readonly next?: string | null;
  readonly credits?: number;
}

/** Serves a route: checks the key and the query of a request, and answers with the handler's result. */
export function serveRoute<Params extends Shape>(
  app: FastifyInstance,
  { services, access }: { readonly services: Pick<Services, 'ledger'>; readonly access: Access },
  route: ApiRoute<Params>,
  handle: (request: HandlerInput<Params>) => Promise<HandlerResult>,
): void {
  app[route.method](urlOf(route), async (request, reply) => {
    const owner = await access.admit(request, reply);
    const query = queryOf(route, request);
    const { id = '' } = request.params as { readonly id?: string };
    const { data, next, ...extras } = await handle({ owner, query, id, request });
    const credits = extras.credits ?? (await services.ledger.balance(owner.account)).credits;
    reply.code(route.answer?.status ?? 200).header('Cache-Control', 'no-store');
    const meta = { request_id: request.id, credits_remaining: credits };
    return { data, meta: next === undefined ? meta : { ...meta, next_cursor: next } };
  });
}

/** Returns the position after which a page of a list begins, and the function that creates the next cursor. */
export async function pageOf(services: Services, list: readonly unknown[], cursor: string | undefined) {
  const secret = await services.secret();
  const binding = createHash('sha256').update(JSON.stringify(list)).digest('base64url');
  const now = services.clock.now();
  const { position } = cursor === undefined ? firstPosition : openCursor(secret, binding, cursor, now);
  return {
    before: typeof position === 'string' ? position : undefined,
    nextCursor: (next: string | null) =>
      next === null ? null : sealCursor(secret, binding, { position: next, seen: [] }, now),
  };
}
