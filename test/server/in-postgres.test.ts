import { alsoInPostgres } from '../support/postgres-servers.js';

// Those that look at what a server keeps: calls and their money, accounts, keys, jobs, numbers.
await alsoInPostgres(async () => {
  await import('./answers.test.js');
  await import('./job-properties.test.js');
  await import('./operations.test.js');
  await import('./read-endpoints.test.js');
  await import('./logs-and-metrics.test.js');
});
