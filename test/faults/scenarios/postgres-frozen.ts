import assert from 'node:assert/strict';
import { withoutPostgres } from '../../support/postgres-cluster.js';
import { Client } from '../client.js';
import type { Serving } from '../program.js';
import { pause, type Scenario, until } from '../scenario.js';
import { type SharedState, withSharedState } from '../shared-state.js';

/** Milliseconds after which calls time out, and for which a standby is away: longer than calls wait. */
const awayMs = 24_000;
/** Milliseconds within which everything must be refunded once the database resumes. */
const giveBackMs = 90_000;
/** Minimum rounds of the long form: half with a suspended database, half with a missing standby. */
const minRounds = 20;
/** Number of calls to each server while its database does not answer. */
const calls = 5;

/** Suspends the database; it executes what lies in its sockets when it resumes. */
async function standStill({ cluster }: SharedState): Promise<() => Promise<void>> {
  const goOn = cluster.freeze();
  return async () => goOn();
}

/** Removes the synchronous standby: transactions commit, and are acknowledged when it is back. */
async function loseStandby(state: SharedState): Promise<() => Promise<void>> {
  const set = async (change: string) => {
    await state.rows(`ALTER SYSTEM ${change}`);
    await state.rows('SELECT pg_reload_conf()');
  };
  await set(`SET synchronous_standby_names = 'nobody'`);
  await pause(200);
  return () => set('RESET synchronous_standby_names');
}

/** Suspends a database for longer than calls wait, and restarts servers meanwhile. */
export const postgresFrozen: Scenario = {
  name: 'postgres-frozen',
  about:
    'a database stands still, or loses its standby, for longer than calls wait; one server is ended, one killed, one left',
  skip: () => withoutPostgres,
  run: (surroundings) =>
    withSharedState(surroundings, async (state) => {
      const begin = (name: string): Promise<Serving> =>
        state.serve('api', name, { EXTRACT_DATABASE_CONNECTIONS: '20' });
      // The last server runs to the end and refunds what the others cannot.
      const names = ['ended', 'killed', 'left', 'other'];
      const servers = await Promise.all(names.map(begin));
      const clients = servers.map(({ url }) => new Client(url, state.secret));
      const others = clients.slice(0, 3);
      const end = performance.now() + surroundings.ms;
      let rounds = 0;
      while (rounds < minRounds || performance.now() < end) {
        for (const client of clients) {
          for (let at = 0; at < calls; at += 1) await client.profile(`known${at}`);
        }
        const back = await (rounds % 2 === 0 ? standStill(state) : loseStandby(state));
        const began = performance.now();
        const before = others.map(({ answered }) => answered.length);
        const pending = others.map((client) =>
          Promise.all(Array.from({ length: calls }, (_, at) => client.profile(`known${at}`))),
        );
        // At least the first call of each is reported as failed.
        await until('calls are given up', 60_000, () =>
          others.every(({ answered }, at) => answered.length > (before[at] ?? 0)),
        );
        await pause(Math.max(0, awayMs - (performance.now() - began)));
        servers[0]?.child.kill('SIGTERM');
        servers[1]?.child.kill('SIGKILL');
        await servers[1]?.ended;
        await back();
        await servers[0]?.ended;
        await Promise.all(pending);
        for (const at of [0, 1]) {
          const again = await begin(names[at] ?? '');
          servers[at] = again;
          (clients[at] as Client).url = again.url;
        }
        rounds += 1;
        await state.assertBooks();
      }
      await until('nothing is left to be given back', giveBackMs, async () => {
        return (await state.rows('SELECT FROM unheard_commits')).length === 0;
      });
      await state.assertEnd(clients, giveBackMs);
      const answered = clients.flatMap((client) => client.answered);
      const failed = answered.filter(({ status }) => status !== 200);
      assert.ok(failed.length >= rounds * others.length, 'calls failed while nobody answered');
      return {
        ...{ rounds, answers: answered.length, failed: failed.length, 'failed and charged': 0, lost: 0 },
        cut: clients.reduce((sum, { cut }) => sum + cut, 0),
      };
    }),
};
