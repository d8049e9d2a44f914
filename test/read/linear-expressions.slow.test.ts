import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { packageRoot } from '../../lib/runtime/package-root.js';

/** What reads, or is asked about, what a platform sent. */
const files = globSync(['lib/{platforms,read,web,suppressions,call}/**/*.ts'], { cwd: packageRoot() });
/** Characters of an input. A square of them takes seconds; what is linear, a millisecond. */
const length = 32 * 1024;
/** Milliseconds of processor time that are enough for what is linear. */
const enough = 60;

interface Expression {
  readonly pattern: RegExp;
  readonly place: string;
}

/** Every expression that a file writes down. */
function expressionsIn(file: string): Expression[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(packageRoot(), file), 'utf8'),
    ts.ScriptTarget.Latest,
  );
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push({ pattern, place: `${file}:${line} ${node.text}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const atom =
  /(\\[pP]\{[^}]+\}|\\x\w\w|\\u\w{4}|\\.|\[(?:\\.|[^\]\\])*\]|[^()|^$*+?{}])\)*([*+?]|\{\d+(?:,\d*)?\})?/gu;
const alphabet = [...'a0 "<=-/.x,:>\n%1@#é年'];

/** A character that each part of an expression takes, and whether the part takes any number of them. */
function partsOf({ source, flags }: RegExp): { text: string; endless: boolean }[] {
  return [...source.replace(/\(\?[:!=<]+|\\\d/g, '(').matchAll(atom)].map(([, what = '', count = '']) => {
    const one = new RegExp(`^(?:${what})$`, flags.replace('g', ''));
    return {
      text: alphabet.find((character) => one.test(character)) ?? what.replace(/^\\/, ''),
      endless: /[*+]|,\}/.test(count),
    };
  });
}

/** Inputs on which an expression begins again and again, and runs on each time: its own parts, repeated. */
function worstInputs(pattern: RegExp): Set<string> {
  const parts = partsOf(pattern);
  const inputs = new Set<string>();
  const text = (from: number, to: number) =>
    parts
      .slice(from, to)
      .map((part) => part.text)
      .join('');
  for (const [at, { endless, text: own }] of parts.entries()) {
    if (!endless) continue;
    inputs.add(own);
    for (let from = Math.max(0, at - 12); from <= at; from += 1) {
      inputs.add(text(from, at));
      inputs.add(text(from, at + 1));
      inputs.add(text(from, at + 2));
    }
  }
  inputs.delete('');
  return inputs;
}

/** Milliseconds of processor time that an expression takes to pass through an input. */
function msOf(pattern: RegExp, input: string): number {
  const began = process.cpuUsage();
  if (pattern.global) for (const _ of input.matchAll(pattern));
  else pattern.exec(input);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

test('no expression that meets a page takes the square of its length', () => {
  const slow = files.flatMap(expressionsIn).flatMap(({ pattern, place }) => {
    for (const unit of worstInputs(pattern)) {
      for (const [before, after] of [
        ['', '\0'],
        ['\0', '\0'],
        [unit, ''],
      ]) {
        const input = `${before}${unit.repeat(length / unit.length)}${after}`;
        // The first pass may compile the expression, or meet a collection of garbage.
        const ms = [0, 0, 0].reduce(
          (least) => (least > enough ? Math.min(least, msOf(pattern, input)) : least),
          1e9,
        );
        if (ms > enough)
          return [`${place}: ${Math.round(ms)} ms for ${JSON.stringify(unit)} again and again`];
      }
    }
    return [];
  });
  assert.deepEqual(slow, []);
});
