import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../lib/config.js';

const agentOf = (env: Readonly<Record<string, string>>) => readConfig({}, env).userAgent;

test('the user agent names the program and, if set, how to reach its operator', () => {
  assert.match(agentOf({}), /^Mozilla\/5\.0 \(compatible; public-extract\/\d+\.\d+\.\d+\)$/);
  for (const contact of [
    'https://lab.example/bot',
    'lab.example/bot',
    'ops@lab.example',
    'mailto:ops@lab.example',
  ])
    assert.equal(agentOf({ EXTRACT_CONTACT: contact }), agentOf({}).replace(/\)$/, `; +${contact})`));
  assert.equal(agentOf({ EXTRACT_CONTACT: 'ops@lab.example', EXTRACT_USER_AGENT: 'lab/1' }), 'lab/1');
  for (const contact of ['x) another', 'a\nb', 'ops', 'Chrome/142', 'ops@', 'https://'])
    assert.throws(() => agentOf({ EXTRACT_CONTACT: contact }), /EXTRACT_CONTACT must be a URL or an e-mail/);
});
