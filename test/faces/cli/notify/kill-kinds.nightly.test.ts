import { test } from 'node:test';
import { assertKilledRunTells } from './killed-run.js';

for (const kind of ['ndjson', 'json', 'sqlite', 'xlsx', 'parquet']) {
  test(`alerts lose no item of a batch into ${kind} that is killed at random moments`, (t) =>
    assertKilledRunTells(
      t,
      kind,
      Array.from({ length: 8 }, () => 0.4 + 0.7 * Math.random()),
    ));
}
