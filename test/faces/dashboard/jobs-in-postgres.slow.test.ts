import { alsoInPostgres } from '../../support/postgres-servers.js';

// The tests that run jobs. In a separate process, because job IDs never go back in time and these use the real clock.
await alsoInPostgres(async () => {
  await import('./admin.slow.test.js');
  await import('./jobs.slow.test.js');
  await import('./packs.slow.test.js');
  await import('./schedules.slow.test.js');
  await import('./settings.slow.test.js');
});
