import { test } from 'node:test';
import { assertKilledRunTells } from './killed-run.js';

const sinks: readonly (readonly [kind: string, ...more: readonly string[]])[] = [
  ...['ndjson', 'csv', 'json', 'sqlite', 'xlsx', 'parquet'].map((kind) => [kind] as const),
  ...['ndjson', 'csv', 'sqlite'].map((kind) => [kind, '--append'] as const),
];

for (const [kind, ...more] of sinks) {
  test(`a batch into ${kind}${more.join('')} that is killed at random moments loses and doubles nothing`, (t) =>
    assertKilledRunTells(
      t,
      kind,
      Array.from({ length: 12 }, () => 0.4 + 0.7 * Math.random()),
      more,
    ));
}
