import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../../src/faces/server/openapi/document.js';

export const docsBase = 'http://docs.test';

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Readonly<Record<string, Response>> }>>>
  >;
}

const description = await openApiDocument(docsBase);
const { paths } = description as unknown as Described;
// The description only contains schemas. Checking it as one would find nothing, and takes a tenth of a second.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
// biome-ignore lint/suspicious/noExplicitAny: the plugin's own types do not know the draft's class
(formats as any)(ajv);
ajv.addSchema(description, 'api');
const validators = new Map<string, ValidateFunction>();

function validator(pointer: string): ValidateFunction {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
  validators.set(pointer, validate);
  return validate;
}

const json = 'content/application~1json/schema';

/** Whether the description has a schema for the answer; null for answers without one, such as results. */
function schemaOf(method: string, route: string, status: number): string | null {
  const operation = paths[route]?.[method];
  // Anything but an operation is refused, and every refusal has the same form.
  if (operation === undefined) return `/components/responses/not_found/${json}`;
  const response = operation.responses[String(status)];
  assert.ok(response !== undefined, `${method} ${route}: ${status} is not described`);
  if (response.$ref !== undefined) return `${response.$ref.slice(1)}/${json}`;
  if (response.content?.['application/json'] === undefined) return null;
  return `/paths/${route.replaceAll('/', '~1')}/${method}/responses/${status}/${json}`;
}

/** Fails for an answer that the description lacks. `route` is spelled as there, such as `/v1/jobs/{id}`. */
export function assertDescribed(method: string, route: string, status: number, body: unknown): void {
  const pointer = schemaOf(method.toLowerCase(), route.replace(/^\/v1/, ''), status);
  if (pointer === null) return;
  const validate = validator(pointer);
  const what = `${method} ${route} ${status}`;
  assert.ok(validate(body), `${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`);
}

/**
 * Checks every answer of a server below `/v1` against the published description. A difference fails the running test,
 * whatever that test checks itself.
 */
export function holdToDescription(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const route = (request.routeOptions.url ?? '').replaceAll(/:(\w+)/g, '{$1}');
    const isPreflight = request.method === 'OPTIONS' && reply.statusCode === 204;
    if (!request.url.startsWith('/v1/') || route === '/v1/openapi.json' || isPreflight) return;
    try {
      const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
      const type = String(reply.getHeader('content-type'));
      const body = isText && type.startsWith('application/json') ? JSON.parse(String(payload)) : undefined;
      // HEAD equals GET without the body.
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      assertDescribed(method, route, reply.statusCode, body);
    } catch (error) {
      setImmediate(() => {
        throw error;
      });
    }
  });
}
