import { test } from 'node:test';
import { argv } from '../../../support/argv.js';
import { assertKilledRunTells } from './killed-run.js';

for (const [kind, ...more] of [['ndjson'], ['xlsx'], argv`sqlite --append`] as const) {
  test(`a batch into ${kind}${more.join('')} that is killed while alerts are sent loses and doubles nothing`, (t) =>
    assertKilledRunTells(t, kind, [0.7, 0.95], more));
}
