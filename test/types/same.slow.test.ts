import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { paths } from '../../lib/client/paths.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { buildDeclarations } from '../support/type-declarations.js';

const root = packageRoot();
const declarations = buildDeclarations();

const head = `
import type * as source from '../../lib/index.js';
import type * as declared from '${declarations}/index.js';
/** The same fields without the way they were put together; the equality below tells readonly and optional apart. */
type Plain<T> = T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends (<T>() => T extends Plain<B> ? 1 : 2) ? true : false;
type ParamsOf<F> = F extends (params: infer Params, options?: never) => unknown ? Params : 'no function';
type Answered<F> = F extends (params: never, options?: never) => Promise<infer Answer> ? Answer : 'no function';
const holds = <Claim extends true>(claim?: Claim) => claim;
`;

function compile(body: string): string[] {
  const file = path.join(root, 'test', 'types', 'written.ts');
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (name, version, onError) =>
    name === file ? ts.createSourceFile(name, head + body, version) : read(name, version, onError);
  const program = ts.createProgram([file], options, host);
  const written = program.getSourceFile(file);
  return [...program.getSyntacticDiagnostics(written), ...program.getSemanticDiagnostics(written)].map(
    ({ messageText, start = 0 }) =>
      `${(head + body).slice(start).split('\n', 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
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
  // What is made by the library fits what is said of it.
  const fits = ['mapsPlace', 'createExtractor', 'ExtractError', 'paginate', 'endpoints', 'catalogue'].map(
    (name) => `export const ${name} = (one: typeof source.${name}): typeof declared.${name} => one;`,
  );
  assert.deepEqual(compile([...claims, ...objects, ...fits].join('\n')), []);
});

test('and a difference would be seen', () => {
  const differences = [
    'holds<Same<{ a: string }, { a: string; b?: string }>>();',
    'holds<Same<{ a: string }, { readonly a: string }>>();',
    'holds<Same<{ a: { b: string | null }[] }, { a: { b: string }[] }>>();',
    'holds<Same<ParamsOf<typeof source.getPlace>, ParamsOf<typeof source.getPlacePhotos>>>();',
  ];
  assert.equal(compile(differences.join('\n')).length, differences.length);
});
