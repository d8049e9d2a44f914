/**
 * Installs the n8n node from its lockfile into a separate folder, builds it against n8n's types, runs it with n8n's own
 * routing against a server, and lints it with every rule for n8n nodes. Those dependencies are too large for this
 * project's own tree.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endpoints } from '../../lib/endpoints.js';
import { isRecord } from '../../lib/read/json.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { casesOf } from '../../lib/samples.js';
import { fieldName } from '../../scripts/n8n/properties.js';
import { fieldsOf } from '../../src/files/result-files/fields.js';
import { testServer } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type FlowItem, flowOf } from './n8n-flow.js';

const run = promisify(execFile);
const folder = temporaryFolder();
const npm = (...args: string[]) => run('npm', args, { cwd: folder, timeout: 300_000 });

const server = await testServer({ config: { demoRateLimit: 10_000, rateLimit: 10_000 } });
const { secret } = await server.account({ credits: 10_000 });
const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
const credentials = { baseUrl: `${address}/`, apiKey: secret };

type Parameters = Readonly<Record<string, unknown>>;
/** Parameters under the names that the fields of the node have. */
const asFields = (params: Parameters) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [fieldName(name), value]));

describe('the package of the n8n node', () => {
  before(async () => {
    cpSync(path.join(packageRoot(), 'clients/n8n'), folder, { recursive: true });
    // The linter's install script wants another package manager, and no package here needs its install script.
    await npm('ci', '--ignore-scripts', '--no-audit', '--no-fund');
    await npm('run', 'build');
  });

  test('is built, strictly, with what it names for n8n', () => {
    const { n8n } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const files = [...n8n.nodes, ...n8n.credentials, 'dist/nodes/Extract/extract.svg'] as string[];
    assert.deepEqual(
      files.filter((name) => !existsSync(path.join(folder, name))),
      [],
    );
  });

  describe('in a flow', () => {
    let flow: ReturnType<typeof flowOf>;
    before(() => {
      flow = flowOf(folder);
    });
    const run = (parameters: Parameters, items?: readonly FlowItem[]) => flow(credentials, parameters, items);

    test('calls every endpoint of the server, and gives an item for each object', async () => {
      for (const endpoint of endpoints) {
        const [sample] = await casesOf(endpoint);
        const { limit, ...params } = (sample?.params ?? {}) as Record<string, unknown>;
        const pair = endpoint.exactlyOne?.find((name) => name in params);
        const isInput = ([name]: [string, unknown]) =>
          name === pair || endpoint.params[name]?.safeParse(undefined).success === false;
        const entries = Object.entries(params);
        const items = await run({
          ...{ resource: endpoint.platform, operation: endpoint.name, returnAll: false },
          ...(pair === undefined ? {} : { findBy: fieldName(pair) }),
          ...asFields(Object.fromEntries(entries.filter(isInput))),
          additionalFields: {
            ...asFields(Object.fromEntries(entries.filter((entry) => !isInput(entry)))),
            ...(limit === undefined ? {} : { pageSize: limit }),
            ...{ demo: true, sources: true },
          },
        });
        assert.ok(endpoint.many || items.length === 1, endpoint.path);
        const { source, coverage, ...object } = items[0]?.json ?? {};
        const fields = fieldsOf(endpoint.returns).map(({ name }) => name);
        assert.deepEqual(Object.keys(object), fields, endpoint.path);
        assert.equal(typeof source, 'object', endpoint.path);
        assert.ok(isRecord(coverage) && Number(coverage.given) >= items.length, endpoint.path);
      }
    });

    test('follows all pages of a list, each item once, for each item that comes in', async () => {
      const list = {
        ...{ resource: 'shortvideo', operation: 'videos', findBy: 'username' },
        additionalFields: { demo: true, pageSize: 2 },
      };
      const first = await run({ ...list, username: 'mira.kettle', returnAll: false });
      assert.equal(first.length, 2);
      const items = [{ json: { name: 'mira.kettle' } }, { json: { name: 'mira.kettle' } }];
      const all = await run({ ...list, username: '={{ $json.name }}', returnAll: true }, items);
      for (const at of items.keys()) {
        const ids = all.filter(({ pairedItem }) => pairedItem?.item === at).map(({ json }) => json.id);
        assert.ok(ids.length > 2);
        assert.equal(new Set(ids).size, ids.length);
      }
    });

    test('creates a job with the options of the tables, and gives an item for each of its lines', async () => {
      server.jobs.start();
      const [created] = await run({
        ...{ resource: 'job', operation: 'create', endpoint: 'maps/places' },
        inputs: '[{"query": "coffee in Athens", "demo": true}, {"query": 7}]',
        additionalFields: { name: 'From a flow', when: 'rating > 4.8', notify: '' },
      });
      assert.deepEqual([created?.json.name, created?.json.when], ['From a flow', 'rating > 4.8']);
      const ofJob = (operation: string) =>
        run({ resource: 'job', operation, jobId: '={{ $json.id }}' }, [{ json: created?.json ?? {} }]);
      while ((await ofJob('get'))[0]?.json.status !== 'done') await sleep(50);
      const lines = await ofJob('getResults');
      assert.equal(lines.length, 2);
      assert.ok(lines.some(({ json }) => Number(json.left_out) > 0));
      assert.ok(lines.some(({ json }) => isRecord(json.error)));
    });

    test('ends with the error of the server', async () => {
      for (const [apiKey, username, additionalFields, description] of [
        [secret, 'no such name', { demo: true }, /username/],
        ['xt_live_unknown', 'mira.kettle', {}, /API key/],
      ] as const) {
        const call = { resource: 'shortvideo', operation: 'profile', username, additionalFields };
        await assert.rejects(flow({ ...credentials, apiKey }, call), { description });
      }
    });
  });
});
