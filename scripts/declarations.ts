// Writes the public declarations to OUT/types: a file for each entry of the package and what they share. They refer to
// no package and to nothing of Node.js. The types that zod infers from the schemas are spelled out, with the
// descriptions; the compiler emits everything else. Usage: node --import ./scripts/typescript.mjs
// scripts/declarations.ts OUT
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import ts from 'typescript';
import { packageRoot } from '../lib/runtime/package-root.js';
import { configModule } from './declarations/config-module.js';
import { replacements } from './declarations/replacements.js';

const root = packageRoot();
const out = path.resolve(root, process.argv[2] ?? 'dist');
const entries = { index: 'lib/index.ts', webhook: 'lib/webhook-entry.ts', client: 'lib/client/index.ts' };

function settings(): ts.CompilerOptions {
  const file = path.join(root, 'tsconfig.json');
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(file, ts.sys.readFile).config,
    ts.sys,
    root,
  );
  return {
    ...{ ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: root },
    // A type that only the package itself uses is not public.
    stripInternal: true,
  };
}

/** Fails the build on any diagnostic of the compiler. */
function refuse(diagnostics: readonly ts.Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const host = { getCanonicalFileName: String, getCurrentDirectory: () => root, getNewLine: () => '\n' };
  throw new Error(ts.formatDiagnostics(diagnostics, host));
}

/** Compiles the entries into a folder, replacing the modules based on zod. */
async function emit(folder: string): Promise<void> {
  const options = { ...settings(), outDir: folder };
  const replaced = new Map(await replacements()).set('lib/config.ts', configModule(settings()));
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile;
  host.getSourceFile = (file, version, onError) => {
    const text = replaced.get(path.relative(root, file));
    return text === undefined ? readSource(file, version, onError) : ts.createSourceFile(file, text, version);
  };
  const files = Object.values(entries).map((file) => path.join(root, file));
  const program = ts.createProgram(files, options, host);
  refuse(
    [...replaced.keys()].flatMap((file) => {
      const source = program.getSourceFile(path.join(root, file));
      return source === undefined
        ? []
        : [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    }),
  );
  refuse(program.emit().diagnostics);
}

/** Collects what the entries reach, and nothing else. */
async function gather(folder: string): Promise<void> {
  const input = Object.fromEntries(
    Object.entries(entries).map(([name, file]) => [name, path.join(folder, file.replace(/\.ts$/, '.d.ts'))]),
  );
  const bundle = await rollup({
    input,
    plugins: [dts()],
    onwarn: (warning) => {
      throw new Error(warning.message);
    },
  });
  await bundle.write({
    dir: path.join(out, 'types'),
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'shared.d.ts',
  });
  await bundle.close();
}

/** Checks the result against a strict project without any libraries. */
function check(): void {
  const files = Object.keys(entries).map((name) => path.join(out, 'types', `${name}.d.ts`));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2023.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  refuse(ts.getPreEmitDiagnostics(ts.createProgram(files, options)));
}

mkdirSync(out, { recursive: true });
const folder = mkdtempSync(path.join(out, 'emitted-'));
try {
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  await emit(folder);
  await gather(folder);
  check();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
