import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { bare, buildDeclarations } from '../support/type-declarations.js';

const declarations = buildDeclarations();
const entries = ['index', 'client', 'webhook'];

/** Fields and methods that a declaration writes down, in itself and in the objects inside it, by their path. */
function undescribed(checker: ts.TypeChecker, node: ts.Node, at: string): string[] {
  const missing: string[] = [];
  ts.forEachChild(node, (child) => {
    const isMember =
      ts.isPropertySignature(child) || ts.isPropertyDeclaration(child) || ts.isMethodSignature(child);
    const here = isMember ? `${at}.${child.name.getText()}` : at;
    const symbol = isMember ? checker.getSymbolAtLocation(child.name) : undefined;
    // A member of a parameter's type, such as `{ cursor }` of what `paginate` takes, is no field of an object.
    if (symbol !== undefined && symbol.getDocumentationComment(checker).length === 0) missing.push(here);
    if (!ts.isParameter(child) && !ts.isTypeParameterDeclaration(child))
      missing.push(...undescribed(checker, child, here));
  });
  return missing;
}

describe('the published declarations', () => {
  const files = entries.map((name) => path.join(declarations, `${name}.d.ts`));
  const program = ts.createProgram(files, bare);
  const checker = program.getTypeChecker();

  test('describe every export and every field of every object', () => {
    const lacking = files.flatMap((file) => {
      const source = program.getSourceFile(file);
      assert.ok(source);
      const module = checker.getSymbolAtLocation(source);
      assert.ok(module);
      const exported = checker.getExportsOfModule(module);
      assert.ok(exported.length > 0);
      return exported.flatMap((entry) => {
        const symbol = entry.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(entry) : entry;
        const [comment, declared] = [symbol.getDocumentationComment(checker), symbol.declarations ?? []];
        // The entries of the catalogue are described by their own texts.
        const fields =
          entry.name === 'catalogue' ? [] : declared.flatMap((one) => undescribed(checker, one, entry.name));
        return comment.length === 0 ? [entry.name, ...fields] : fields;
      });
    });
    assert.deepEqual([...new Set(lacking)], []);
  });
});
