// Packs the samples of demo mode: one module per platform with the texts of its endpoints' files.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const prefix = 'samples:';

/** Returns the name of the file for a module of samples; null for any other module. */
export function sampleName(id) {
  return id.startsWith(`\0${prefix}`) ? `samples-${id.slice(prefix.length + 1)}` : null;
}

/** Cases created by `npm run capture`, for tests only. */
const leftOut = /(?:^|\/)captures\//;

/** Returns the texts of an endpoint's sample files, by their path in its folder. */
async function textsOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((name) => !leftOut.test(name));
  const texts = names.sort().map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')]);
  return Object.fromEntries(await Promise.all(texts));
}

/** Replaces `lib/sample-files.ts`, which reads a folder of the checkout, by modules that every bundler includes. */
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
            return async (file) => new TextEncoder().encode((await modules[platform]()).texts[name]()[file]);
          }`;
        return { code, moduleType: 'js' };
      }
      if (!id.startsWith(`\0${prefix}`)) return null;
      const platform = path.join(fixtures, id.slice(prefix.length + 1));
      // A function each, so that V8 only parses the texts of the endpoint that is called.
      const texts = (await readdir(platform)).sort().map(async (name) => {
        const texts = await textsOf(path.join(platform, name));
        return `${JSON.stringify(name)}: () => (${JSON.stringify(texts)})`;
      });
      return { code: `export const texts = {${(await Promise.all(texts)).join()}};`, moduleType: 'js' };
    },
  };
}
