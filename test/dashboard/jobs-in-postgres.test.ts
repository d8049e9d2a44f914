import { alsoInPostgres } from '../support/postgres-servers.js';

// Those over servers whose jobs run. In a process of their own: ids of jobs never go back in time, and theirs is the real one.
await alsoInPostgres(async () => {
  await import('./admin.test.js');
  await import('./jobs.test.js');
  await import('./packs.test.js');
  await import('./schedules.test.js');
  await import('./settings.test.js');
});
