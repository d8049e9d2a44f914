import assert from 'node:assert/strict';
import { withoutPostgres } from '../../support/postgres-cluster.js';
import { Client } from '../client.js';
import type { Scenario } from '../scenario.js';
import { sharedState } from '../shared-state.js';

const servers = 3;
/** Requests a minute with one key, and how many may pass by way of several servers. */
const limit = 600;
const most = 660;
/** Number of concurrent requests to each server. */
const atOnce = 8;
/** The limit is reached long before a minute is over; within one is what is counted. */
const maxMs = 30_000;

/** One key's requests, to all servers of a database at the same time. */
export const postgresLimit: Scenario = {
  name: 'postgres-limit',
  about: 'three servers of one database let no more than a tenth above a key’s limit pass',
  skip: () => withoutPostgres,
  async run(surroundings) {
    const state = await sharedState(surroundings);
    const clients: Client[] = [];
    const counts = { passed: 0, refused: 0 };
    const refusedBy = new Set<Client>();
    try {
      for (let at = 0; at < servers; at += 1) {
        const { url } = await state.serve('api', `limited-${at}`, { EXTRACT_RATE_LIMIT: String(limit) });
        clients.push(new Client(url, state.secret));
      }
      const end = performance.now() + maxMs;
      const ask = async (client: Client) => {
        // Until each has refused: what passes after that, in the same minute, would be too much.
        while (refusedBy.size < servers && performance.now() < end) {
          const { status } = await client.get('/v1/account');
          assert.ok(status === 200 || status === 429, `status ${status}`);
          if (status === 200) counts.passed += 1;
          else {
            counts.refused += 1;
            refusedBy.add(client);
          }
        }
      };
      const began = performance.now();
      await Promise.all(clients.flatMap((client) => Array.from({ length: atOnce }, () => ask(client))));
      const seconds = Math.round((performance.now() - began) / 100) / 10;
      assert.equal(refusedBy.size, servers, 'each server refuses');
      assert.ok(counts.passed >= limit && counts.passed <= most, `${counts.passed} passed`);
      return { ...counts, seconds };
    } finally {
      await Promise.all(clients.map((client) => client.close()));
      surroundings.program.killAll();
      await state.close();
    }
  },
};
