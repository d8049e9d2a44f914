import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Fastify from 'fastify';
import { parse } from 'yaml';
import { addDescriptionRoutes } from '../../../src/faces/server/service-routes.js';
import { addWellKnownRoutes } from '../../../src/faces/server/well-known-routes.js';
import { FakeClock } from '../../support/fake-clock.js';

const docsBase = 'https://extract.example.com';
const clock = new FakeClock(Date.UTC(2026, 5, 1));

async function bodyOf(url: string, operatorEmail?: string) {
  const app = Fastify();
  addDescriptionRoutes(app, docsBase);
  addWellKnownRoutes(app, { clock, docsBase, operatorEmail });
  const answer = await app.inject(url);
  await app.close();
  assert.equal(answer.statusCode, 200);
  return answer.body;
}

describe('the files that programs look for', () => {
  test('security.txt names the operator, and when to look again', async () => {
    assert.equal(
      await bodyOf('/.well-known/security.txt', 'operator@example.com'),
      [
        'Contact: mailto:operator@example.com',
        'Expires: 2027-06-01T00:00:00.000Z',
        'Preferred-Languages: en',
        'Canonical: https://extract.example.com/.well-known/security.txt',
        '',
      ].join('\n'),
    );
  });

  test('security.txt names the project if no operator is set', async () => {
    assert.match(await bodyOf('/.well-known/security.txt'), /^Contact: https:\/\//);
  });

  test('robots.txt leaves calls and accounts alone, and shows the documentation', async () => {
    const text = await bodyOf('/robots.txt');
    assert.match(text, /^Allow: \/docs$/m);
    assert.match(text, /^Disallow: \/$/m);
  });

  test('openapi.yaml equals openapi.json', async () => {
    assert.deepEqual(parse(await bodyOf('/openapi.yaml')), JSON.parse(await bodyOf('/openapi.json')));
  });
});
