import { alsoInPostgres } from '../../support/postgres-servers.js';

// Those that look at what a server keeps: people, their keys, calls and money, and what the operator sees.
await alsoInPostgres(async () => {
  await import('./keys.slow.test.js');
  await import('./playground.slow.test.js');
  await import('./requests.slow.test.js');
  await import('./shell.slow.test.js');
  await import('./sign-in.slow.test.js');
});
