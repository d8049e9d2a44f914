// A separate process with a cache, started by the tests.
import { createRequire } from 'node:module';
import { openCache } from '../../lib/cache/open-cache.js';

const [task = '', file = ''] = process.argv.slice(2);
const answerOf = (data: string) => ({ data, fetchedAt: '', next: null, prints: [] });
process.on('exit', () => console.log('exit'));

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
  onFault: (fault) => console.log(fault === null ? 'well again' : `fault: ${fault.message}`),
});
if (task === 'lazy') {
  console.log(`opened: ${loaded()}`);
  await cache.get('a');
  console.log(`asked: ${loaded()}`);
} else {
  const [count, prefix] = task === 'fill' ? [100, 'k'] : [200, `${process.pid}-`];
  for (let n = 0; n < count; n++) await cache.set(`${prefix}${n}`, answerOf('x'.repeat(10_000)), 10 ** 9);
}
