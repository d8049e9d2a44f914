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

/** The declarations as the build writes them, inside the project: made once a process at most. */
export function buildDeclarations(): string {
  built ??= freshBuild([...fromSource, path.join('scripts', 'declarations.ts')]);
  return path.join(built, 'types');
}

/** A project elsewhere with the package as it is published, its types alone; nothing of ours is near it. */
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

/** What the compiler says about files of a project, as texts. */
export function complaints(project: string, names: readonly string[], options: ts.CompilerOptions): string[] {
  const program = ts.createProgram(
    names.map((name) => path.join(project, name)),
    options,
  );
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}
