import assert from 'node:assert/strict';
import { withoutPostgres } from '../../support/postgres-cluster.js';
import { Client } from '../client.js';
import { type Scenario, until } from '../scenario.js';
import { withSharedState } from '../shared-state.js';

/** Milliseconds within which others refund what a suspended server leaves open. */
const giveBackMs = 45_000;
/** Servers suspended in each round, and rounds of the long form: twenty in all. */
const [zombies, minRounds] = [4, 5];
/** Calls in progress on each when it is suspended: fresh ones and cached ones. */
const calls = 5;

/** Suspends servers with running calls until others have refunded these, then resumes them. */
export const postgresZombies: Scenario = {
  name: 'postgres-zombies',
  about: 'servers stand still for longer than others wait for them, with calls in their hands, and go on',
  skip: () => withoutPostgres,
  run: (surroundings) =>
    withSharedState(surroundings, async (state) => {
      const { ms, platform } = surroundings;
      const names = Array.from({ length: zombies }, (_, at) => `zombie-${at}`);
      const servers = await Promise.all(
        // Long enough that no call ends because of its deadline.
        names.map((name) => state.serve('api', name, { EXTRACT_TIMEOUT_MS: '180000' })),
      );
      await state.serve('api', 'other');
      const clients = servers.map(({ url }) => new Client(url, state.secret));
      const end = performance.now() + ms;
      let rounds = 0;
      let stopped = 0;
      while (rounds < minRounds || performance.now() < end) {
        for (const client of clients) await client.profile('known');
        platform.mood = 'slow';
        const pending = clients.map((client, at) =>
          Promise.all(Array.from({ length: calls }, (_, n) => client.profile(`new${rounds}.${at}.${n}`))),
        );
        await until('calls are open', 20_000, async () => {
          return (await state.pendingCalls()) === calls * clients.length;
        });
        const paid = clients.map((client) => client.profile('known'));
        for (const { child } of servers) child.kill('SIGSTOP');
        stopped += await state.pendingCalls();
        await until('others give the calls back', giveBackMs, async () => (await state.pendingCalls()) === 0);
        for (const { child } of servers) child.kill('SIGCONT');
        await Promise.all([...pending, ...paid]);
        platform.mood = 'answers';
        rounds += 1;
        await state.assertBooks();
      }
      await until('nothing is left to be given back', giveBackMs, async () => {
        const rows = await state.rows('SELECT FROM unheard_commits');
        return rows.length === 0 && (await state.pendingCalls()) === 0;
      });
      await state.assertEnd(clients);
      const answered = clients.flatMap((client) => client.answered);
      const refused = answered.filter(({ status }) => status !== 200).length;
      assert.ok(stopped > 0 && refused > 0, 'calls were in the hands of those that stood still');
      return {
        ...{ rounds: rounds * names.length, answers: answered.length, 'given back and said so': refused },
        ...{ 'told a price that was given back': 0, lost: 0 },
      };
    }),
};
