// A separate process with a cache, started by the tests.
import { createRequire } from 'node:module';
import { openCache } from '../../lib/cache/open-cache.js';
import { writeLine } from '../support/write-line.js';

const [task = '', file = ''] = process.argv.slice(2);
const answer = (data: string) => ({ data, fetchedAt: '', next: null, prints: [] });
process.on('exit', () => writeLine('exit'));

/** Which copies of SQLite are in this process. */
function loaded(): string {
  const { moduleLoadList } = process as typeof process & { readonly moduleLoadList: readonly string[] };
  const packages = Object.keys(createRequire(import.meta.url).cache).filter((name) => /\.node$/.test(name));
  const sqliteModules = moduleLoadList.filter((name) => /^NativeModule sqlite$/.test(name));
  return (
    [...packages.map((name) => /[^/]*sqlite[^/]*(?=\/)/.exec(name)?.[0]), ...sqliteModules].join() || 'none'
  );
}

const cache = openCache({
  file,
  memoryBytes: 0,
  onFault: (fault) => writeLine(fault === null ? 'well again' : `fault: ${fault.message}`),
});
if (task === 'lazy') {
  writeLine(`opened: ${loaded()}`);
  await cache.get('a');
  writeLine(`asked: ${loaded()}`);
} else if (task === 'fill') {
  for (let n = 0; n < 100; n++) await cache.set(`k${n}`, answer('x'.repeat(10_000)), 10 ** 9);
} else if (task === 'crowd') {
  for (let n = 0; n < 200; n++) await cache.set(`${process.pid}-${n}`, answer('x'.repeat(10_000)), 10 ** 9);
} else {
  await cache.set('a', answer('1'), 60);
  writeLine((await cache.get('a'))?.data ?? 'nothing');
  if (task === 'closed') await cache.close();
}
