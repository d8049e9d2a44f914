import { alsoInPostgres } from '../../support/postgres-servers.js';

// Those that look at what a server keeps: calls and their money, keys, sessions.
await alsoInPostgres(async () => {
  await import('./http.slow.test.js');
  await import('./refusals.slow.test.js');
});
