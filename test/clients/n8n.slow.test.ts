import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { endpoints } from '../../lib/endpoints.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { casesOf } from '../../lib/samples.js';
import { fieldName } from '../../scripts/n8n/properties.js';
import { n8nNode } from '../../scripts/n8n-node.js';
import { fieldsOf } from '../../src/files/result-files/fields.js';
import { testServer } from '../support/server.js';
import { runFlow } from './n8n-flow.js';

const server = await testServer({ config: { demoRateLimit: 10_000, rateLimit: 10_000 } });
const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
const { secret } = await server.account({ credits: 10_000 });
const credentials = { baseUrl: `${address}/`, apiKey: secret };

describe('the node of n8n', () => {
  test('is what the table of endpoints makes of it', () => {
    for (const [file, text] of Object.entries(n8nNode())) {
      assert.equal(readFileSync(path.join(packageRoot(), file), 'utf8'), text, file);
    }
  });

  test('calls every endpoint of the server, and gives an item for each object', async () => {
    for (const endpoint of endpoints) {
      const [sample] = await casesOf(endpoint);
      const { limit, ...params } = (sample?.params ?? {}) as Record<string, unknown>;
      const pair = endpoint.exactlyOne?.find((name) => name in params);
      const own = Object.keys(params).filter(
        (name) => name === pair || endpoint.params[name]?.safeParse(undefined).success === false,
      );
      const fields = Object.entries(params).filter(([name]) => !own.includes(name));
      const items = await runFlow(credentials, {
        ...{ resource: endpoint.platform, operation: endpoint.name },
        ...(pair === undefined ? {} : { findBy: fieldName(pair) }),
        ...Object.fromEntries(own.map((name) => [fieldName(name), params[name]])),
        additionalFields: {
          ...Object.fromEntries(fields.map(([name, value]) => [fieldName(name), value])),
          ...(limit === undefined ? {} : { pageSize: limit }),
          ...{ demo: true, sources: true },
        },
      });
      assert.ok(endpoint.many || items.length === 1, endpoint.path);
      const { source, ...object } = items[0] ?? {};
      assert.deepEqual(
        Object.keys(object),
        fieldsOf(endpoint.returns).map(({ name }) => name),
        endpoint.path,
      );
      assert.equal(typeof source, 'object', endpoint.path);
    }
  });

  test('follows all pages of a list, each item once', async () => {
    const list = { resource: 'shortvideo', operation: 'videos', findBy: 'username', username: 'mira.kettle' };
    const fields = { demo: true, pageSize: 2 };
    const first = await runFlow(credentials, { ...list, additionalFields: fields });
    assert.equal(first.length, 2);
    const all = await runFlow(credentials, { ...list, returnAll: true, additionalFields: fields });
    assert.ok(all.length > 2);
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  });

  test('ends with the error of the server', async () => {
    const call = { resource: 'shortvideo', operation: 'profile', username: 'no such name' };
    await assert.rejects(
      runFlow(credentials, { ...call, additionalFields: { demo: true } }),
      /invalid_parameter/,
    );
    const stranger = { ...credentials, apiKey: 'xt_live_unknown' };
    await assert.rejects(runFlow(stranger, { ...call, username: 'mira.kettle' }), /invalid_api_key/);
  });
});
