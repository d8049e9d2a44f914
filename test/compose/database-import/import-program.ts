import { systemClock } from '../../../lib/runtime/clock.js';
import { importDirectory } from '../../../src/compose/import-directory.js';
import { serverOperator } from '../../../src/service/audit/audit-store.js';

// Moves a data directory into a database: the tests kill it meanwhile.
const { home, config } = JSON.parse(process.argv[2] ?? '') as { home: string; config: { url: string } };
process.stdout.write('ready\n');
const { signal } = new AbortController();
await importDirectory({ home, config, operator: serverOperator, clock: systemClock, signal } as never);
process.stdout.write('done\n');
