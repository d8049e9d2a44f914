import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import type { Services } from '../../../lib/call/call.js';
import { firstPosition, openCursor, sealCursor } from '../../../lib/call/cursor.js';
import { parseParams } from '../../../lib/params/parse.js';
import { parseQuery, queryText } from '../../../lib/params/query.js';
import type { Plain } from './openapi/schemas.js';

type Shape = Readonly<Record<string, z.ZodType>>;

/** A route of the account and its jobs: its address, what it takes and gives, and how the documentation words it. */
export interface ApiRoute<Params extends Shape = Shape> {
  readonly method: 'get' | 'post';
  /** Such as `/jobs/{id}`. */
  readonly path: string;
  readonly operationId: string;
  /** Left out for `jobs`. */
  readonly tag?: 'account';
  readonly summary: string;
  /** Left out for one that is free, and there is no more to say. */
  readonly description?: string;
  /** Parameters of the query. */
  readonly params?: Params;
  /** Parameters of the head, as OpenAPI has them. */
  readonly headers?: readonly Plain[];
  /** JSON Schema of the body. */
  readonly body?: Plain;
  readonly answer?: {
    readonly description: string;
    /** The object that `data` is, or a list of it where `many`. */
    readonly data: z.ZodType;
    readonly many?: boolean;
    /** `meta` has a cursor of the next page. */
    readonly isPaged?: boolean;
    /** Left out for 200. */
    readonly status?: number;
  };
  /** The answers that are no envelope, by status. */
  readonly responses?: Plain;
  /** Statuses of errors beside those that each route of its kind has. */
  readonly refusals?: readonly number[];
}

/** A route with the types of its parameters. */
export function apiRoute<Params extends Shape = Record<never, never>>(
  route: ApiRoute<Params>,
): ApiRoute<Params> {
  return route;
}

/** The address as the server's router has it. */
export const urlOf = ({ path }: Pick<ApiRoute, 'path'>) => `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;

/** The parameters of a request's query. Throws `invalid_parameter`, also for one that the route has not. */
export function queryOf<Params extends Shape>(
  { path, params = {} as Params }: Pick<ApiRoute<Params>, 'path' | 'params'>,
  request: FastifyRequest,
): { readonly [Name in keyof Params]: z.output<Params[Name]> } {
  const given = parseQuery(queryText(request));
  const route = { path: path.slice(1), params, exactlyOne: null, renamed: {} };
  return parseParams(route, given, true) as { [Name in keyof Params]: z.output<Params[Name]> };
}

/** The answer of a route, and whose balance stands beside it. */
interface Answered {
  readonly account: string;
  readonly data: unknown;
  /** The cursor of the next page; null on the last one, left out where there are none. */
  readonly next?: string | null;
  /** The balance, where it is known. */
  readonly credits?: number;
}

/** Serves a route: its handler says whose request it is and what the answer holds. */
export function serveRoute<Params extends Shape>(
  app: FastifyInstance,
  { ledger }: Pick<Services, 'ledger'>,
  route: ApiRoute<Params>,
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<Answered>,
): void {
  app[route.method](urlOf(route), async (request, reply) => {
    const { account, data, next, ...known } = await handle(request, reply);
    const credits = known.credits ?? (await ledger.balance(account)).credits;
    reply.code(route.answer?.status ?? 200).header('Cache-Control', 'no-store');
    const meta = { request_id: request.id, credits_remaining: credits };
    return { data, meta: next === undefined ? meta : { ...meta, next_cursor: next } };
  });
}

/** The position that a page of a list begins behind, and what makes the cursor of the next one. */
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
