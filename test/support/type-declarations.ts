import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import ts from 'typescript';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { freshBuild } from './fresh-build.js';
import { fromSource } from './from-source.js';

const root = packageRoot();

/** A strict project that has the package and the language, and nothing else. */
export const bare: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: false,
  types: [],
  lib: ['lib.es2023.d.ts'],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

let built: string | undefined;

/** The declarations as the build writes them, inside the project; written at most once per process. */
export function buildDeclarations(): string {
  built ??= freshBuild([...fromSource, path.join('scripts', 'declarations.ts')]);
  return path.join(built, 'types');
}

/** A project elsewhere with the published package's types only, and no other file of ours. */
export function emptyProject(declarations: string): string {
  const project = mkdtempSync(path.join(os.tmpdir(), 'extract-types-'));
  after(() => rmSync(project, { recursive: true, force: true }));
  const installed = path.join(project, 'node_modules', 'public-extract');
  mkdirSync(installed, { recursive: true });
  cpSync(path.join(root, 'package.json'), path.join(installed, 'package.json'));
  cpSync(declarations, path.join(installed, 'dist', 'types'), { recursive: true });
  writeFileSync(path.join(project, 'package.json'), '{"type":"module"}');
  return project;
}

/** The same, as a file of settings has it. */
const bareSettings = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false, types: [] },
  ...{ lib: ['es2023'], target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext' },
};

/**
 * Returns the diagnostics of the native compiler for the files of a folder, a line each. It takes a fifth of the time
 * of the JavaScript one.
 */
export function complaints(
  folder: string,
  names: readonly string[],
  settings: object = bareSettings,
  rest: object = {},
): string[] {
  const config = { ...rest, compilerOptions: settings, files: names, include: [] };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = path.join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [compiler, '--pretty', 'false', '-p', folder],
    { encoding: 'utf8' },
  );
  const errors = stdout.split('\n').filter((line) => line.includes(': error TS'));
  if ((status === 0) !== (errors.length === 0)) throw new Error(`${stdout}${stderr}`);
  return errors;
}

/** The settings for users who compile with a bundler, or with the types of a browser. */
export const bareWith = (settings: object) => ({ ...bareSettings, ...settings });
