import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { profile } from '../../lib/platforms/photosocial/profile.js';
import { fixturesOf } from '../support/fixtures.js';
import { serveSite } from './harness.js';

const there = ['plain.pebble', 'old.kiln'];
const files = new Map([
  ['plain.pebble', 'plain.html'],
  ['old.kiln', 'before-2024.json'],
]);
const missing = ['no.such.lamp', 'no.such.kiln', 'no.such.tern'];

/** The platform's own error page, with status 200, for both removed and restricted accounts. */
const errorPage =
  '<!DOCTYPE html><html lang="en"><head><title>Instagram</title></head><body><script type="application/json" data-sjs>{"canonicalRouteName":"comet.igweb.PolarisErrorRoute"}</script></body></html>';

const lines = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { data: unknown; error: { code: string; message: string } | null });

describe('missing names in a batch, with every setting as it comes', () => {
  for (const [what, documents, code] of [
    ['whose documents say that there is none', true, 'profile_not_found'],
    ['whose documents are refused', false, 'platform_restricted'],
  ] as const) {
    test(`${what} end immediately, and delay no other`, async () => {
      const { home, run } = await serveSite(({ path: at, method }) => {
        const name = at.split('/')[1] ?? '';
        const file = files.get(name);
        if (method === 'POST' && documents) return { body: '{"data":{"xig_user_by_username":null}}' };
        if (method === 'POST') return { status: 401, body: '{"message":"login_required"}' };
        if (at.includes('/oembed/')) return { status: 404, body: '{"message":"No Media Match"}' };
        if (at.includes('/embed/')) return { body: '<script>{"contextJSON":null}</script>' };
        if (file === undefined) return { body: errorPage };
        return { body: readFileSync(path.join(fixturesOf(profile as never), file), 'utf8') };
      });
      const file = path.join(home, 'names.txt');
      const [first = '', second = ''] = there;
      writeFileSync(file, [missing[0], first, missing[1], missing[2], second].join('\n'));
      const { status, out, err } = await run(['batch', 'photosocial/profile', file]);
      assert.equal(status, 7, err);
      assert.deepEqual(
        lines(out).map(({ error }) => error?.code ?? 'answer'),
        [code, 'answer', code, code, 'answer'],
      );
      assert.doesNotMatch(out + err, /nothing was asked now|waits? for|is asked again/i);
    });
  }
});
