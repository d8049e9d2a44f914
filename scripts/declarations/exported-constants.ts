import path from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../lib/runtime/package-root.js';

/** The exported constants of a source file with their comments, and its other exports unchanged. */
interface Constants {
  readonly names: readonly { readonly name: string; readonly comment: string }[];
  readonly others: readonly ts.Statement[];
  textOf(statement: ts.Statement): string;
}

/** Reads a source file, by its path from the root. */
export function constantsOf(file: string): Constants {
  const text = ts.sys.readFile(path.join(packageRoot(), file)) ?? '';
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const isExported = (statement: ts.Statement) => /^export\b/.test(statement.getText(source));
  const exported = source.statements.filter(isExported);
  const names = exported.filter(ts.isVariableStatement).map((statement) => ({
    name: statement.declarationList.declarations.map(({ name }) => name.getText(source)).join(),
    comment: (ts.getLeadingCommentRanges(text, statement.pos) ?? [])
      .map(({ pos, end }) => text.slice(pos, end))
      .join('\n'),
  }));
  const others = exported.filter((statement) => !ts.isVariableStatement(statement));
  return { names, others, textOf: (statement) => statement.getFullText(source).trim() };
}
