import { alsoInPostgres } from '../../support/postgres-servers.js';

// In a process of its own: ids of jobs never go back in time, and its clock stands in the past.
await alsoInPostgres(async () => {
  await import('./suppressed-stores.slow.test.js');
});
