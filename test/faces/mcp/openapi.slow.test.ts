import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { served } from './server-harness.js';

const home = temporaryFolder();

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly 'x-credits'?: number;
  readonly parameters: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly schema: Readonly<Record<string, unknown>>;
  }[];
}

describe('the tools and the API’s description', () => {
  test('name the same operations, parameters and prices', async (t) => {
    const server = await served(t, { home, clock: systemClock });
    const response = await fetch(new URL('/openapi.json', server.url));
    const { paths } = (await response.json()) as {
      paths: Record<string, { get?: OpenApiOperation }>;
    };
    const operations = Object.values(paths).flatMap(({ get }) => (get?.['x-credits'] ? [get] : []));
    const { client } = await server.connect();
    const { tools } = await client.listTools();
    const listed = new Map(tools.map((tool) => [tool.name, tool]));
    assert.equal(operations.length, endpoints.length);
    assert.deepEqual(
      operations.map(({ operationId }) => operationId),
      tools.slice(0, operations.length).map(({ name }) => name),
    );
    for (const { operationId, summary, parameters, ...operation } of operations) {
      const tool = listed.get(operationId);
      const properties = (tool?.inputSchema.properties ?? {}) as Record<string, Record<string, unknown>>;
      assert.ok(summary.startsWith(`${tool?.title}: `));
      assert.match(tool?.description ?? '', new RegExp(`(^|[ .])${operation['x-credits']} credits`));
      assert.deepEqual(
        [...parameters.map(({ name }) => name), 'fields', 'text_limit'],
        Object.keys(properties),
      );
      const required = parameters.filter((one) => one.required).map(({ name }) => name);
      assert.deepEqual(tool?.inputSchema.required ?? [], required);
      for (const { name, schema } of parameters) {
        const { description: _, ...kind } = properties[name] ?? {};
        if (name === 'limit') assert.ok(Number(kind.default) <= Number(schema.default));
        // The list leaves out the bounds and patterns of texts: every assistant reads it whole.
        const {
          minLength: _min,
          maxLength: _max,
          pattern: _pattern,
          ...briefly
        } = schema as Record<string, unknown>;
        assert.deepEqual({ ...kind, default: schema.default }, { ...briefly, default: schema.default }, name);
      }
    }
  });
});
