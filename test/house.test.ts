import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { packageRoot } from '../lib/runtime/package-root.js';

interface Source {
  readonly name: string;
  readonly text: string;
  /** Files of the project that it imports, as paths from the root without extension; packages by their name. */
  readonly imports: readonly string[];
}

function sources(folder: string): Source[] {
  return readdirSync(path.join(packageRoot(), folder), { recursive: true })
    .map((name) => path.posix.join(folder, String(name)))
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const text = readFileSync(path.join(packageRoot(), name), 'utf8');
      const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
        ([, specifier = '']) => specifier,
      );
      const imports = specifiers.map((specifier) =>
        specifier.startsWith('.')
          ? path.posix.join(path.posix.dirname(name), specifier).replace(/\.js$/, '')
          : specifier,
      );
      return { name, text, imports };
    });
}

const lib = sources('lib');
const all = [...lib, ...sources('src')];

function every(files: readonly Source[], holds: (file: Source) => string | undefined): void {
  const broken = files.flatMap((file) => {
    const complaint = holds(file);
    return complaint === undefined ? [] : [`${file.name}: ${complaint}`];
  });
  assert.deepEqual(broken, []);
}

describe('the laws of the house', () => {
  test('the library never imports the programs around it', () => {
    every(lib, ({ imports }) => imports.find((one) => one.startsWith('src/')));
  });

  test('a platform imports only what reading needs, and no other platform', () => {
    const allowed =
      /^(lib\/(read|params)\/|lib\/web\/page-source$|lib\/(endpoint|object)$|lib\/errors\/|zod$)/;
    every(
      lib.filter(({ name }) => name.startsWith('lib/platforms/')),
      ({ name, imports }) => {
        const own = name.split('/').slice(0, 3).join('/');
        return imports.find((one) => !one.startsWith(`${own}/`) && !allowed.test(one));
      },
    );
  });

  test('reading knows no network, no clock and no environment', () => {
    every(
      lib.filter(({ name }) => /^lib\/(read|platforms)\//.test(name)),
      ({ text }) =>
        /\b(process\.|Date\.now\(|new Date\(\)|Math\.random|(?<!\.)fetch\(|node:(http|net|fs))/.exec(
          text,
        )?.[0],
    );
  });

  test('only config reads the environment', () => {
    every(all, ({ name, text }) =>
      /^(lib\/config(-\w+)?|src\/config\/[\w-]+)\.ts$/.test(name)
        ? undefined
        : /process\.env\b/.exec(text)?.[0],
    );
  });

  test('only the web door opens connections to platforms, and the remote mode to a server', () => {
    every(lib, ({ name, imports }) =>
      /^lib\/(web|remote)\//.test(name)
        ? undefined
        : imports.find((one) => /^(undici|node:https?|node:net|node:tls)$/.test(one)),
    );
  });

  test('files are small and none is a drawer for everything', () => {
    every(all, ({ name, text }) => {
      const lines = text.split('\n').length;
      if (lines > 500) return `${lines} lines`;
      return /(^|[/-])(utils?|helpers?|misc|common)\b/.exec(name)?.[0];
    });
  });

  test('there is no default export and nothing left to do', () => {
    every(all, ({ text }) => /^export default\b|\b(TODO|FIXME|XXX)\b/m.exec(text)?.[0]);
  });
});
