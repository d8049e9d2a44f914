import { accountRoute, usageRoute } from '../account-routes.js';
import type { ApiRoute } from '../api-route.js';
import { createJobRoute } from '../jobs/create-job-route.js';
import { jobRoutes } from '../jobs/job-routes.js';
import { linkRoutes } from '../jobs/link-routes.js';
import { scheduleRoutes } from '../jobs/schedule-routes.js';
import { secretRoutes, webhookRoutes } from '../jobs/webhook-routes.js';
import { keysRoute } from '../key-routes.js';
import { envelopeSchema, queryParameters } from './read-operations.js';
import { commonHeaders, errorResponses } from './responses.js';
import { objectName, type Plain, schemaRef } from './schemas.js';

const routes: readonly ApiRoute[] = [
  ...[accountRoute, keysRoute, usageRoute],
  ...[createJobRoute, ...Object.values(jobRoutes), ...Object.values(webhookRoutes)],
  ...[...Object.values(scheduleRoutes), ...Object.values(secretRoutes)],
  ...Object.values(linkRoutes.job),
  ...Object.values(linkRoutes.schedule),
];

const requestId = { type: 'string', description: 'ID of the request.' };
const creditsRemaining = { type: 'integer', minimum: 0, description: 'Balance.' };
const nextCursor = {
  type: ['string', 'null'],
  description: 'Pass it as `cursor` for the next page; null on the last page.',
};

function metaSchema(isPaged: boolean): Plain {
  const metaFields = { request_id: requestId, credits_remaining: creditsRemaining };
  const properties = isPaged ? { ...metaFields, next_cursor: nextCursor } : metaFields;
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function successOf({ answer }: ApiRoute): Plain {
  if (answer === undefined) return {};
  const { description, data, many = false, isPaged = false, status = 200 } = answer;
  const object = schemaRef(objectName(data));
  const schema = envelopeSchema(many ? { type: 'array', items: object } : object, metaSchema(isPaged));
  return { [status]: { description, headers: commonHeaders, content: { 'application/json': { schema } } } };
}

/** The error statuses of a route: 404 requires a name in the path, and 413 a body. */
function statusesOf({ method, path, refusals = [] }: ApiRoute): readonly number[] {
  const statuses = [...(path.includes('{') ? [404] : []), ...(method === 'post' ? [413] : [])];
  return [...new Set([400, 401, 403, 429, 500, ...statuses, ...refusals])].toSorted((a, b) => a - b);
}

/** The parameters in a path: `{id}` belongs to the path's first segment. */
function pathParameters(path: string): Plain[] {
  const [, subject] = /^\/(\w+)s\b/.exec(path) ?? [];
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', description: `ID of the ${name === 'id' ? subject : name}.` },
    ...{ required: true, schema: { type: 'string' } },
  }));
}

function operationOf(route: ApiRoute): Plain {
  const {
    path,
    operationId,
    tag = 'jobs',
    summary,
    description = 'Free.',
    params = {},
    headers = [],
    body,
  } = route;
  const parameters = [...pathParameters(path), ...headers, ...queryParameters(params)];
  const words = { operationId, summary, description };
  const kind = { tags: [tag], 'x-credits': 0, security: [{ api_key: [] }] };
  return {
    ...(tag === 'account' ? { ...words, ...kind } : { ...kind, ...words }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: { ...successOf(route), ...route.responses, ...errorResponses(statusesOf(route)) },
  };
}

export const apiStatuses = routes.flatMap(statusesOf);

const paths: Record<string, Record<string, Plain>> = {};
for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) };

/** The operations that are not endpoints, by path and method: the account, its ledger, jobs and webhooks. */
export const apiOperations: Readonly<Record<string, Plain>> = paths;
