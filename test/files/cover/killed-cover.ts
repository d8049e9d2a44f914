import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { isInside, parseBox } from '../../../src/files/cover/cells.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { loopback } from '../../support/loopback.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { startProgram } from '../../support/program-apart.js';
import { outputOf } from '../../support/program-output.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { bbox, searchTown, town } from './town.js';

const folder = temporaryFolder();
const places = town(2400);

/** The town behind a server of the test's own; `onAsked` runs with each request. */
async function served(t: TestContext, onAsked: (count: number) => void = () => undefined) {
  let count = 0;
  const server = await loopback(t, ({ url = '' }, response) => {
    count += 1;
    onAsked(count);
    const query = Object.fromEntries(new URL(url, 'http://town').searchParams);
    const point = { lat: Number(query.lat), lng: Number(query.lng), radius_m: Number(query.radius_m) };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(searchTown(places, point, Number(query.from))));
  });
  return { origin: server.origin, requests: () => count };
}

const start = (origin: string, name: string) =>
  startProgram('files/cover/cover-program.ts', {
    ...{ origin, home: path.join(folder, `home-${name}`), output: path.join(folder, name) },
  });

async function finish(child: ChildProcess): Promise<string> {
  const { status, out } = await outputOf(child);
  assert.equal(status, 0, out);
  return out;
}

/** What every call of a run was charged in the end. */
function spent(name: string) {
  const ledger = path.join(folder, `home-${name}`, 'ledger.db');
  assertSound(ledger);
  return inspect(ledger, (db) =>
    db
      .prepare('SELECT status, count(*) AS calls, sum(credits_charged) AS credits FROM usage GROUP BY status')
      .all(),
  );
}

const lines = (name: string) => readFileSync(path.join(folder, name), 'utf8');

/** Covers an area, killed within so many requests of each run: every place comes once, for the price of one run. */
export async function assertKilledCoverIsWhole(t: TestContext, kills: readonly number[]): Promise<void> {
  const calm = await served(t);
  const stdout = await finish(start(calm.origin, 'calm'));
  assert.match(stdout, /^16 cells: 48 credits for one page each, 3 for each further page of 20 places\./);

  let doomed: ChildProcess | undefined;
  let at = Number.POSITIVE_INFINITY;
  const rough = await served(t, (count) => {
    if (count === at) doomed?.kill('SIGKILL');
  });
  for (const requests of kills) {
    doomed = start(rough.origin, 'rough');
    at = rough.requests() + requests;
    const [, signal] = await once(doomed, 'exit');
    assert.equal(signal, 'SIGKILL');
  }
  at = Number.POSITIVE_INFINITY;
  await finish(start(rough.origin, 'rough'));

  assert.equal(lines('rough'), lines('calm'));
  const ids = ndjsonValues(lines('rough')).map(({ data }) => String(data.place_id));
  const inside = places.filter((place) => isInside(parseBox(bbox), place)).map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), inside.toSorted());
  // Pages that are read again are paid under the entries that they have.
  assert.deepEqual(spent('rough'), spent('calm'));
}
