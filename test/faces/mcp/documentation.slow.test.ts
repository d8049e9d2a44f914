import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type * as z from 'zod';
import { readConfig } from '../../../lib/config.js';
import { endpoints } from '../../../lib/endpoints.js';
import { catalogue } from '../../../lib/errors/extract-error.js';
import { openServices } from '../../../lib/services.js';
import { localBackend } from '../../../src/faces/mcp/backend.js';
import { MemoryAnswers } from '../../../src/faces/mcp/memory-answers.js';
import { demoAccess } from '../../../src/faces/mcp/tool-access.js';
import { createToolServer } from '../../../src/faces/mcp/tool-server.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { sampleCase } from './call-tool.js';

const services = openServices(readConfig({ home: temporaryFolder() }, {}));
const { protocol } = createToolServer(demoAccess, {
  backend: localBackend(services),
  docsBase: 'http://localhost',
  recentAnswers: new MemoryAnswers(new FakeClock()),
  closing: new AbortController().signal,
  onFault: (id, cause) => assert.fail(`${id}: ${cause}`),
});
const client = new Client({ name: 'test', version: '1' });
const [here, there] = InMemoryTransport.createLinkedPair();
await protocol.connect(there);
await client.connect(here);

async function read(path: string): Promise<string> {
  const { contents } = await client.readResource({ uri: `extract://docs/${path}` });
  const [page] = contents as { uri: string; mimeType: string; text: string }[];
  assert.equal(contents.length, 1);
  assert.equal(page?.uri, `extract://docs/${path}`);
  assert.equal(page?.mimeType, 'text/markdown');
  return page?.text ?? '';
}

describe('the documentation as resources', () => {
  test('every listed page can be read, and matches its listing', async () => {
    const { resources } = await client.listResources();
    assert.equal(new Set(resources.map(({ uri }) => uri)).size, resources.length);
    for (const { uri, title = '', description } of resources) {
      const text = await read(uri.replace('extract://docs/', ''));
      assert.ok(text.startsWith(`# ${title}\n`), uri);
      assert.ok((description ?? '').length > 10);
      assert.doesNotMatch(text, /undefined|\[object/);
    }
  });

  for (const endpoint of endpoints) {
    test(`${endpoint.path} has a page with its parameters and price, and its object one with every field`, async () => {
      const text = await read(`endpoints/${endpoint.path}`);
      for (const name of Object.keys(endpoint.params)) assert.ok(text.includes(`| \`${name}\` |`), name);
      assert.ok(text.includes(`Costs ${endpoint.credits} credits`));
      assert.ok(text.includes(`\`${endpoint.operation}\``));
      assert.ok((await read('endpoints')).includes(`\`${endpoint.path}\``));
      const object = await read(`objects/${endpoint.returns.meta()?.id}`);
      const fields = Object.keys((endpoint.returns as z.ZodObject).shape);
      for (const field of fields) assert.ok(object.includes(`| \`${field}\` |`), field);
      assert.ok(object.includes(`\`${endpoint.operation}\``));
      assert.doesNotMatch(object, /\|\s*\|$/m, 'a field without a meaning');
    });
  }

  test('every error code has a page, found by the template', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['extract://docs/errors/{code}', 'extract://schemas/{name}'],
    );
    const all = await read('errors');
    for (const [code, { summary, next }] of Object.entries(catalogue)) {
      assert.ok(all.includes(`\`${code}\``));
      const text = await read(`errors/${code}`);
      assert.ok(text.includes(summary) && text.includes(next));
    }
  });

  test('an unknown address is an error', async () => {
    const nowhere = ['docs/made/up', 'docs/errors/made_up', 'docs/errors/toString', 'docs/'];
    for (const uri of [...nowhere.map((path) => `extract://${path}`), 'file:///etc/passwd'])
      await assert.rejects(client.readResource({ uri }), { code: -32602, data: { uri } });
  });
});

describe('the prompts', () => {
  const ask = async (name: string, args: Record<string, string>) => {
    const { messages } = await client.getPrompt({ name, arguments: args });
    assert.equal(messages.length, 1);
    assert.equal(messages[0]?.role, 'user');
    const content = messages[0]?.content;
    return content?.type === 'text' ? content.text : assert.fail('not a text');
  };

  test('are listed with their arguments', async () => {
    const { prompts } = await client.listPrompts();
    const listed = prompts.map(({ name, arguments: args }) => [
      name,
      Object.fromEntries(args?.map((one) => [one.name, one.required === true]) ?? []),
    ]);
    assert.deepEqual(Object.fromEntries(listed), {
      research: { question: true, credits: false },
      read_page: { url: true },
    });
  });

  test('research names the question, every tool with its price, and the bound', async () => {
    const text = await ask('research', { question: 'How many?', credits: '30' });
    assert.ok(text.includes('How many?') && text.includes('30 credits at most'));
    for (const { operation, credits } of endpoints)
      assert.match(text, new RegExp(`- ${operation}: .*\\(${credits} credits\\)`));
    assert.doesNotMatch(await ask('research', { question: 'x' }), /at most/);
    // As clients send an empty form field.
    assert.doesNotMatch(await ask('research', { question: 'x', credits: ' ' }), /at most/);
    await assert.rejects(ask('research', { question: ' ' }), /needs question/);
  });

  test('read_page chooses the tools that take the address', async () => {
    for (const endpoint of endpoints) {
      const { params } = await sampleCase(endpoint);
      const name = Object.keys(params).find((one) => one === 'url' || one.endsWith('_url'));
      if (name === undefined) continue;
      const text = await ask('read_page', { url: String(params[name]) });
      assert.ok(text.includes(`- ${endpoint.operation} with ${name}`));
    }
    assert.match(await ask('read_page', { url: 'https://elsewhere.example/' }), /^No tool takes the URL/);
  });

  test('that do not exist, or lack an argument, are refused', async () => {
    await assert.rejects(client.getPrompt({ name: 'made_up' }), { code: -32602 });
    await assert.rejects(client.getPrompt({ name: 'research', arguments: {} }), /needs question/);
  });
});
