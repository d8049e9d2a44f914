import { alsoInPostgres } from '../support/postgres-servers.js';

// Those that look at what a server keeps: people, their keys, calls and money, and what the operator sees.
await alsoInPostgres(async () => {
  await import('./keys.test.js');
  await import('./playground.test.js');
  await import('./requests.test.js');
  await import('./shell.test.js');
  await import('./sign-in.test.js');
  await import('./usage.test.js');
});
