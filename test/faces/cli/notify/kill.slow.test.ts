import { test } from 'node:test';
import { assertKilledRunTells } from './killed-run.js';

for (const [kind, ...more] of [['ndjson'], ['xlsx'], ['sqlite', '--append']] as const) {
  test(`a batch into ${kind}${more.join('')} that is killed while alerts are sent loses and doubles nothing`, (t) =>
    assertKilledRunTells(t, kind, [0.7, 0.95], more));
}
