import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { paths } from '../../lib/client/paths.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { buildDeclarations, complaints } from '../support/type-declarations.js';

const root = packageRoot();
const declarations = buildDeclarations();

const head = `
import type * as source from '${root}/lib/index.js';
import type * as declared from '${declarations}/index.js';
/** The same fields without the way they were put together; the equality below tells readonly and optional apart. */
type Plain<T> = T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends (<T>() => T extends Plain<B> ? 1 : 2) ? true : false;
type ParamsOf<F> = F extends (params: infer Params, options?: never) => unknown ? Params : 'no function';
type Answered<F> = F extends (params: never, options?: never) => Promise<infer Answer> ? Answer : 'no function';
const holds = <Claim extends true>(claim?: Claim) => claim;
`;

const folder = temporaryFolder();

/** What is said of the lines of a program. */
function compile(lines: readonly string[]): string[] {
  writeFileSync(path.join(folder, 'written.mts'), `${head}${lines.join('\n')}\n`);
  const settings = { noEmit: true, rootDir: '/', typeRoots: [path.join(root, 'node_modules', '@types')] };
  return complaints(folder, ['written.mts'], settings, { extends: path.join(root, 'tsconfig.json') });
}

test('the published declarations say of parameters and answers what the schemas say', () => {
  const names = Object.keys(paths);
  assert.ok(names.length > 0);
  const claims = names.flatMap((name) => [
    `holds<Same<ParamsOf<typeof source.${name}>, ParamsOf<typeof declared.${name}>>>();`,
    `holds<Same<Answered<typeof source.${name}>, Answered<typeof declared.${name}>>>();`,
    `holds<Same<ParamsOf<source.Functions['${name}']>, ParamsOf<declared.Functions['${name}']>>>();`,
    `holds<Same<Answered<source.Functions['${name}']>, Answered<declared.Functions['${name}']>>>();`,
  ]);
  const objects = [
    ...[
      'MapsPlace',
      'MapsPlaceDetail',
      'MapsReview',
      'MapsPhoto',
      'PronetworkExperience',
      'ShortvideoHashtag',
    ],
    ...['Meta', 'Config', 'ErrorObject', 'ErrorCode', 'UsageRow'],
  ].map((name) => `holds<Same<source.${name}, declared.${name}>>();`);
  // The library's exports match their declared types.
  const fits = ['mapsPlace', 'createExtractor', 'ExtractError', 'paginate', 'endpoints', 'catalogue'].map(
    (name) => `export const ${name} = (one: typeof source.${name}): typeof declared.${name} => one;`,
  );
  // And a difference would be seen.
  const differences = [
    'holds<Same<{ a: string }, { a: string; b?: string }>>();',
    'holds<Same<{ a: string }, { readonly a: string }>>();',
    'holds<Same<{ a: { b: string | null }[] }, { a: { b: string }[] }>>();',
    'holds<Same<ParamsOf<typeof source.getPlace>, ParamsOf<typeof source.getPlacePhotos>>>();',
  ];
  const errors = compile([...claims, ...objects, ...fits, ...differences]);
  assert.equal(errors.length, differences.length, errors.join('\n'));
  const first = head.split('\n').length + claims.length + objects.length + fits.length;
  assert.deepEqual(
    errors.map((line) => Number(/\((\d+),/.exec(line)?.[1])),
    differences.map((_, at) => first + at),
  );
});
