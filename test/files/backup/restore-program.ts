import { restore } from '../../../src/files/backup/restore.js';

// Restores a backup: the tests kill it meanwhile.
const { file, home } = JSON.parse(process.argv[2] ?? '') as { file: string; home: string };
process.stdout.write('ready\n');
await restore(file, home, { check: false });
process.stdout.write('done\n');
