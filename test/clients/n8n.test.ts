import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { n8nNode } from '../../scripts/n8n-node.js';

test('the node of n8n matches the table of endpoints', () => {
  for (const [file, text] of Object.entries(n8nNode()))
    assert.equal(readFileSync(path.join(packageRoot(), file), 'utf8'), text, file);
});

test('its requests go to the address of a server, with and without the version behind it', () => {
  for (const file of ['nodes/Extract/Extract.node.ts', 'credentials/ExtractApi.credentials.ts']) {
    const source = readFileSync(path.join(packageRoot(), 'clients/n8n', file), 'utf8');
    const [, expression = ''] = /baseURL: '=\{\{(.*?)\}\}\/v1'/.exec(source) ?? [];
    const [, pattern = ''] = /^\$credentials\.baseUrl\.replace\(\/(.*)\/, ""\)$/.exec(expression) ?? [];
    const end = new RegExp(pattern.replaceAll('\\\\', '\\'));
    for (const behind of ['', '/', '//', '/v1', '/v1/'])
      assert.equal(`http://localhost:8787${behind}`.replace(end, ''), 'http://localhost:8787', file + behind);
    assert.equal('https://x.test/tools/v1'.replace(end, ''), 'https://x.test/tools');
    assert.equal('https://x.test/v1x'.replace(end, ''), 'https://x.test/v1x');
  }
});
