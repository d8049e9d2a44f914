// Packs the samples of demo mode: one module a platform, which holds the texts of its endpoints' files.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const prefix = 'samples:';

/** Name of the file that a module of samples becomes; null for any other module. */
export function sampleName(id) {
  return id.startsWith(`\0${prefix}`) ? `samples-${id.slice(prefix.length + 1)}` : null;
}

/** The texts of all files below a folder, by their path in it. */
async function textsOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const texts = files.sort().map(async (file) => {
    const name = path.relative(folder, file).replaceAll(path.sep, '/');
    return [name, await readFile(file, 'utf8')];
  });
  return Object.fromEntries(await Promise.all(texts));
}

/** Replaces `lib/sample-files.ts`, which reads a checkout's folder, by modules that every bundler takes along. */
export function packedSamples(root) {
  const fixtures = path.join(root, 'fixtures');
  return {
    name: 'packed-samples',
    resolveId(id) {
      return id.startsWith(prefix) ? `\0${id}` : null;
    },
    async load(id) {
      if (id === path.join(root, 'lib', 'sample-files.ts')) {
        const modules = (await readdir(fixtures)).map((name) => `${name}: () => import('${prefix}${name}')`);
        const code = `const modules = {${modules.join(',')}};
          export function sampleFiles(endpointPath) {
            const platform = endpointPath.slice(0, endpointPath.indexOf('/'));
            const name = endpointPath.slice(platform.length + 1);
            return async (file) => new TextEncoder().encode((await modules[platform]()).texts[name + '/' + file]);
          }`;
        return { code, moduleType: 'js' };
      }
      if (!id.startsWith(`\0${prefix}`)) return null;
      const texts = await textsOf(path.join(fixtures, id.slice(prefix.length + 1)));
      return { code: `export const texts = ${JSON.stringify(texts)};`, moduleType: 'js' };
    },
  };
}
