import { alsoInPostgres } from '../support/postgres-servers.js';

// Those that look at what a server keeps: calls and their money, keys, sessions.
await alsoInPostgres(async () => {
  await import('./http.test.js');
  await import('./http-sessions.test.js');
  await import('./refusals.test.js');
});
