import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { packageRoot } from '../../lib/runtime/package-root.js';

/** Most of them see texts of pages or callers. All are tested, so no exception needs a reason. */
const files = globSync(['{lib,src}/**/*.{ts,tsx}'], { cwd: packageRoot() });
/**
 * Characters of an input, and the milliseconds of CPU time allowed. An expression that fails the short input is
 * measured with the long one, which decides: 100 ms per megabyte. Quadratic time would take 64 times as long there.
 */
const short = [32 * 1024, 6] as const;
const long = [256 * 1024, 25] as const;

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
  const expressions: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      expressions.push({ pattern, place: `${file}:${line}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return expressions;
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

/** The text before, the repeated text, and the text after. */
type Attack = readonly [before: string, unit: string, behind: string];

/** Inputs on which an expression begins again and again, and runs on each time: its own parts, repeated. */
function attacksOn(pattern: RegExp): Attack[] {
  const parts = partsOf(pattern);
  const attacks = new Map<string, Attack>();
  const text = (from: number, to: number) =>
    parts
      .slice(from, to)
      .map((part) => part.text)
      .join('');
  for (const [at, { endless, text: ownText }] of parts.entries()) {
    if (!endless) continue;
    for (let from = Math.max(0, at - 12); from <= at; from += 1) {
      for (const unit of [ownText, text(from, at), text(from, at + 1), text(from, at + 2)]) {
        for (const before of ['', '\0', text(0, from)])
          attacks.set(`${before} ${unit}`, [before, unit, '\0']);
      }
    }
  }
  return [...attacks.values()].filter(([, unit]) => unit !== '');
}

/** Milliseconds of processor time that an expression takes to pass through an input. */
function msOf(pattern: RegExp, input: string): number {
  const began = process.cpuUsage();
  if (pattern.global) for (const _ of input.matchAll(pattern));
  else pattern.exec(input);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

/** Milliseconds beyond what is allowed, or null. The first passes may compile the expression, or collect garbage. */
function tooLong(pattern: RegExp, [before, unit, behind]: Attack): number | null {
  for (const [length, enough] of [short, long]) {
    const input = before + unit.repeat(length / unit.length) + behind;
    let least = Number.POSITIVE_INFINITY;
    for (let pass = 0; pass < 3 && least > enough; pass += 1) {
      least = Math.min(least, msOf(pattern, input));
      // A clearly quadratic one need not be measured three times.
      if (least > 20 * enough) return least;
    }
    if (least <= enough) return null;
    if (length === long[0]) return least;
  }
  return null;
}

/** The expressions that readers make of words and names while they read every case. */
async function madeExpressions(): Promise<Expression[]> {
  const patterns = new Map<string, RegExp>();
  const nativeRegExp = globalThis.RegExp;
  globalThis.RegExp = new Proxy(nativeRegExp, {
    construct(target, args: [string, string?]) {
      const pattern = new target(...args);
      patterns.set(String(pattern), pattern);
      return pattern;
    },
  });
  try {
    const { endpoints } = await import('../../lib/endpoints.js');
    const { casesOf } = await import('../../lib/samples.js');
    const { pagesOf } = await import('../support/cases.js');
    for (const endpoint of endpoints) {
      for (const one of await casesOf(endpoint)) {
        await pagesOf(endpoint, one, undefined, 2).catch(() => undefined);
        // Those by which the case tells its own pages apart.
        for (const { pattern, requestBody } of one.pages) {
          for (const source of [pattern, requestBody])
            patterns.delete(String(new nativeRegExp(source ?? '')));
        }
      }
    }
  } finally {
    globalThis.RegExp = nativeRegExp;
  }
  assert.ok(patterns.size > 10);
  return [...patterns.values()].map((pattern) => ({ pattern, place: 'made while reading' }));
}

test('no expression takes the square of the length of a text', async () => {
  const expressions = [...(await madeExpressions()), ...files.flatMap(expressionsIn)];
  const slow = expressions.flatMap(({ pattern, place }) => {
    for (const attack of attacksOn(pattern)) {
      const ms = tooLong(pattern, attack);
      if (ms !== null) return [`${place} ${pattern}: ${Math.round(ms)} ms for ${JSON.stringify(attack)}`];
    }
    return [];
  });
  assert.deepEqual(slow, []);
});
