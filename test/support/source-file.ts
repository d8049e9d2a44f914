import path from 'node:path';
import ts from 'typescript';

/** A source file as the laws of the house see it. */
export interface Source {
  readonly name: string;
  readonly text: string;
  /** What it imports, in whichever way: paths from the root without ending, packages by their name. */
  readonly imports: readonly string[];
  /** Those of them whose exports it hands on. */
  readonly reexports: readonly string[];
  /** What loads a module that does not stand in the file. */
  readonly unread: readonly string[];
  /** Where it takes something of the runtime: `process.env`, `Date.now`, `new Date(…)`, or the name alone. */
  readonly uses: readonly string[];
  /** Texts, and names of properties. */
  readonly strings: readonly string[];
}

const runtimeNames: ReadonlySet<string> = new Set([
  ...['process', 'globalThis', 'global', 'Date', 'Math', 'performance'],
  ...['crypto', 'navigator'],
  ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
]);

/** Names that the file itself gives to something: they are not the runtime's. */
function declaredNames(file: ts.SourceFile): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (
      (ts.isVariableDeclaration(node) ||
        ts.isParameter(node) ||
        ts.isBindingElement(node) ||
        ts.isFunctionDeclaration(node) ||
        ts.isImportSpecifier(node) ||
        ts.isImportClause(node)) &&
      node.name !== undefined &&
      ts.isIdentifier(node.name)
    )
      found.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** True where an identifier stands for a value: not the name of a property, nor part of a type. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent)) return false;
  if (ts.isPropertySignature(parent) || ts.isMethodSignature(parent)) return false;
  if (ts.isJsxAttribute(parent) || ts.isTypeReferenceNode(parent)) return false;
  return !ts.isQualifiedName(parent) && !ts.isTypeQueryNode(parent);
}

/** How a value of the runtime is used. */
function takenBy(node: ts.Identifier): string {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return `${node.text}.${parent.name.text}`;
  if (ts.isNewExpression(parent)) return `new ${node.text}(${parent.arguments?.length ? '…' : ''})`;
  return node.text;
}

export function sourceOf(name: string, text: string): Source {
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind);
  const imports: string[] = [];
  const reexports: string[] = [];
  const unread: string[] = [];
  const uses: string[] = [];
  const strings: string[] = [];
  const declared = declaredNames(file);
  const pathOf = (one: string) =>
    one.startsWith('.')
      ? path.posix.join(path.posix.dirname(name), one).replace(/\.(m?js|jsx|m?ts|tsx)$/, '')
      : one;
  /** Notes an import whose module is the text of a node. */
  const note = (node: ts.Node | undefined, whole: ts.Node): void => {
    if (node !== undefined && ts.isLiteralTypeNode(node)) note(node.literal, whole);
    else if (node !== undefined && ts.isStringLiteralLike(node)) imports.push(pathOf(node.text));
    else unread.push(whole.getText(file));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) note(node.moduleSpecifier, node);
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      note(node.moduleSpecifier, node);
      reexports.push(imports.at(-1) ?? '');
    } else if (ts.isImportTypeNode(node)) note(node.argument, node);
    else if (ts.isExternalModuleReference(node)) note(node.expression, node);
    else if (ts.isCallExpression(node)) {
      const called = node.expression;
      const isLoader =
        called.kind === ts.SyntaxKind.ImportKeyword ||
        (ts.isIdentifier(called) && called.text === 'require') ||
        (ts.isPropertyAccessExpression(called) && called.name.text === 'getBuiltinModule');
      if (isLoader) note(node.arguments[0], node);
    } else if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
      const [target] = node.arguments ?? [];
      const called = node.expression.text;
      if (
        called === 'URL' &&
        target &&
        ts.isStringLiteralLike(target) &&
        /^\..*\.m?[jt]sx?$/.test(target.text)
      )
        note(target, node);
      if (called === 'Function') unread.push(node.getText(file));
    } else if (ts.isIdentifier(node)) {
      const isCalled = ts.isPropertyAccessExpression(node.parent) && ts.isCallExpression(node.parent.parent);
      if (/^(createRequire|eval)$/.test(node.text)) unread.push(node.parent.getText(file));
      if (node.text === 'getBuiltinModule' && !isCalled) unread.push(node.parent.getText(file));
      if (runtimeNames.has(node.text) && !declared.has(node.text) && isValue(node)) uses.push(takenBy(node));
      if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) strings.push(node.text);
    } else if (ts.isStringLiteralLike(node)) strings.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { name, text, imports, reexports, unread, uses, strings };
}
