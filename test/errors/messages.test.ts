import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import ts from 'typescript';

/** A message as it stands in the source: each inserted value is `VALUE`. */
interface Written {
  readonly text: string;
  readonly place: string;
}

/** Errors for people. `Error` itself becomes a cause, or an internal fault under its request's id. */
const errors = /^(Extract|Storage|Usage)Error$/;
/** Tables of messages by what is wrong with a store. */
const tables = /^(advice|messages)$/;

/** The texts that an expression may be; a name stands for the constant of its file. */
function textsOf(node: ts.Node | undefined, constants: ReadonlyMap<string, ts.Expression>): string[] {
  if (node === undefined) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [node.head.text + node.templateSpans.map(({ literal }) => `VALUE${literal.text}`).join('')];
  }
  if (ts.isConditionalExpression(node)) {
    return [...textsOf(node.whenTrue, constants), ...textsOf(node.whenFalse, constants)];
  }
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression, constants);
  if (ts.isIdentifier(node)) {
    const known = constants.get(node.text);
    return known === undefined || ts.isIdentifier(known) ? [] : textsOf(known, constants);
  }
  return [];
}

/** Every message of an error that stands in a file, without those whose next step is given beside it. */
function messagesOf(file: string, source: string): Written[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const constants = new Map<string, ts.Expression>();
  const found: Written[] = [];
  const note = (node: ts.Node | undefined) => {
    for (const text of textsOf(node, constants)) {
      const { line } = tree.getLineAndCharacterOfPosition(node?.getStart() ?? 0);
      found.push({ text, place: `${file}:${line + 1}` });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      constants.set(node.name.text, node.initializer);
      if (tables.test(node.name.text) && ts.isObjectLiteralExpression(node.initializer)) {
        for (const entry of node.initializer.properties) {
          if (ts.isPropertyAssignment(entry)) note(entry.initializer);
        }
      }
    }
    if (ts.isNewExpression(node) && errors.test(node.expression.getText())) {
      const [, message, details] = node.arguments ?? [];
      const givesNext =
        node.expression.getText() === 'UsageError'
          ? details !== undefined
          : /\bnext\b/.test(details?.getText() ?? '');
      if (!givesNext) note(message);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Where one part of a message ends: `ExtractError` adds the catalogue's next step to a message of one part. */
const partsOf = (text: string) => text.split(/(?<=[.!?][”)]?)\s+(?=\S)|(?<=…)\s+(?=[A-Z])|;\s+/);

const verbs =
  'Add Ask Begin Buy Call Check Choose Click Close Copy Correct Delete Free Give Import Install Keep Leave Let Look Make Move Name Open Post Put Raise Read Remove Report Restart Resume Revoke Run Save Say Search See Send Set Shorten Show Split Start Stop Try Unset Upgrade Use Wait Write end'.split(
    ' ',
  );
const step = new RegExp(
  [
    // An imperative, at the beginning of a part or behind a short condition.
    `^(?:[^,:]*[,:] )?(?:then )?(?:${verbs.join('|')})\\b`,
    // What has the next step in it: an option, a command, a setting, what must be.
    '(?:^|\\s|“|`)(?:--[a-z]|-o |extract |EXTRACT_)',
    '^It takes: ',
    '\\?$',
    // A part that is made elsewhere.
    '^VALUE\\.?$',
  ].join('|'),
  'i',
);

/** True for a message that says what to do next, or is given the catalogue's words for it. */
const saysNext = (text: string) => {
  const parts = partsOf(text);
  return parts.length === 1 || / must /.test(text) || parts.slice(1).some((part) => step.test(part));
};

const files = globSync(['lib/**/*.ts', 'src/**/*.{ts,tsx}']).sort();
const all = files.flatMap((file) => messagesOf(file, readFileSync(file, 'utf8')));

describe('the messages of all errors in the source', () => {
  test('are found: those of the tables and of constants, too', () => {
    const found = messagesOf(
      'sample.ts',
      `const advice = { full: 'The disk is full. It is.' };
       const message = late ? 'It is late; so it is.' : \`\${it} is lost.\`;
       throw new ExtractError('internal_error', message);
       throw new ExtractError('invalid_body', 'Wrong. So it is.', { next: 'Correct it.' });
       throw new UsageError('invalid_body', 'Wrong. So it is.', 'extract --help');
       throw new StorageError('full', 'The disk is full. Free some space.');`,
    );
    assert.deepEqual(
      found.map(({ text }) => [text, saysNext(text)]),
      [
        ['The disk is full. It is.', false],
        ['It is late; so it is.', false],
        ['VALUE is lost.', true],
        ['The disk is full. Free some space.', true],
      ],
    );
    assert.ok(all.length > 350, `${all.length}`);
  });

  test('say what to do next, where the catalogue does not say it for them', () => {
    const silent = all.filter(({ text }) => !saysNext(text)).map(({ text, place }) => `${place}: ${text}`);
    assert.deepEqual(silent, []);
  });

  test('are sentences: with a capital or a name at the beginning, and an end', () => {
    const odd = all
      .filter(({ text }) => !/(?:[.!?…)”]|VALUE)$/.test(text))
      .map(({ text, place }) => `${place}: ${text}`);
    assert.deepEqual(odd, []);
  });
});
