import { alsoInPostgres } from '../../support/postgres-servers.js';

// Those over servers whose jobs run. In a process of their own: ids of jobs never go back in time, and theirs is the real one.
await alsoInPostgres(async () => {
  await import('./admin.slow.test.js');
  await import('./jobs.slow.test.js');
  await import('./links.slow.test.js');
  await import('./packs.slow.test.js');
  await import('./schedules.slow.test.js');
  await import('./settings.slow.test.js');
});
