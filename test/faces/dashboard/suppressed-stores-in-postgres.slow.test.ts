import { alsoInPostgres } from '../../support/postgres-servers.js';

// In a separate process: job IDs never go back in time, and this clock is in the past.
await alsoInPostgres(async () => {
  await import('./suppressed-stores.slow.test.js');
});
