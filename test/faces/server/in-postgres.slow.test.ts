import { alsoInPostgres } from '../../support/postgres-servers.js';

// Those that look at what a server keeps: calls and their money, accounts, keys, jobs, numbers.
await alsoInPostgres(async () => {
  await import('./answers.slow.test.js');
  await import('./job-properties.slow.test.js');
  await import('./operations.slow.test.js');
  await import('./read-endpoints.slow.test.js');
  await import('./logs-and-metrics.slow.test.js');
});
