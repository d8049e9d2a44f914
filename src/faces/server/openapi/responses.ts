import { catalogue, type ErrorCode, ExtractError } from '../../../../lib/errors/extract-error.js';
import { type Plain, schemaRef } from './schemas.js';

const ref = (kind: string, name: string): Plain => ({ $ref: `#/components/${kind}/${name}` });

/** Error statuses, with the name and the description of their response. */
const statuses: ReadonlyMap<number, readonly [name: string, description: string]> = new Map([
  [400, ['invalid_request', 'The request is invalid; nothing was charged.']],
  [401, ['unauthorized', 'No API key, or an invalid one.']],
  [403, ['forbidden', 'The account or the key is not allowed to do this; nothing was charged.']],
  [404, ['not_found', 'The subject does not exist; the charge is refunded.']],
  [405, ['method_not_allowed', 'The path does not support this method.']],
  [409, ['conflict', 'The current state does not allow it.']],
  [410, ['gone', 'It has been deleted.']],
  [413, ['body_too_large', 'The body is too large.']],
  [416, ['range_not_satisfiable', 'The range begins after the end of the results.']],
  [429, ['rate_limited', 'Too many requests.']],
  [500, ['internal_error', 'A fault on our side; the charge is refunded.']],
  [502, ['platform_error', 'The platform refused, failed or changed; the charge is refunded.']],
]);

export function statusMeaning(status: number): string {
  return statuses.get(status)?.[1] ?? '';
}

function codesOf(status: number): ErrorCode[] {
  // Header and status are HTTP's; the code is the same as for a parameter.
  if (status === 416) return ['invalid_parameter'];
  return (Object.keys(catalogue) as ErrorCode[]).filter((code) => catalogue[code].status === status);
}

const exampleId = 'req_01JZ8Q4T5M7N9P2R4S6V8X0Y1Z';

function example(code: ErrorCode, docsBase: string): Plain {
  const error = new ExtractError(code).within(exampleId, docsBase);
  return { summary: catalogue[code].summary, value: { error: error.toJSON() } };
}

export const headers: Record<string, Plain> = {
  request_id: { description: 'ID of the request.', schema: { type: 'string' } },
  rate_limit_policy: {
    description: 'The limit that counts this request: `"key";q=600;w=60` is 600 requests in 60 seconds.',
    schema: { type: 'string' },
  },
  rate_limit: {
    description: 'Requests left, and seconds until the window ends: `"key";r=599;t=60`.',
    schema: { type: 'string' },
  },
  retry_after: {
    description: 'Seconds to wait before you try again.',
    schema: { type: 'integer', minimum: 0 },
  },
  www_authenticate: { description: '`Bearer`.', schema: { type: 'string' } },
};

/** Headers of every response to a request with a key. */
export const commonHeaders: Plain = {
  'X-Request-Id': ref('headers', 'request_id'),
  'RateLimit-Policy': ref('headers', 'rate_limit_policy'),
  RateLimit: ref('headers', 'rate_limit'),
};

function headersOf(status: number): Plain {
  const headers: Record<string, unknown> = { 'X-Request-Id': ref('headers', 'request_id') };
  if (status === 401) headers['WWW-Authenticate'] = ref('headers', 'www_authenticate');
  if (status === 429 || status === 502) headers['Retry-After'] = ref('headers', 'retry_after');
  return headers;
}

/** Returns references to the error responses of an operation, by status. */
export function errorResponses(of: readonly number[]): Record<string, Plain> {
  return Object.fromEntries(
    of.map((status) => [String(status), ref('responses', statuses.get(status)?.[0] ?? 'internal_error')]),
  );
}

/** Returns the error responses by name, for the statuses used by operations, with an example for every code. */
export function componentResponses(of: ReadonlySet<number>, docsBase: string): Record<string, Plain> {
  return Object.fromEntries(
    [...statuses]
      .filter(([status]) => of.has(status))
      .map(([status, [name, description]]) => [
        name,
        {
          description,
          headers: headersOf(status),
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { error: schemaRef('error') },
                required: ['error'],
                additionalProperties: false,
              },
              examples: Object.fromEntries(codesOf(status).map((code) => [code, example(code, docsBase)])),
            },
          },
        },
      ]),
  );
}
