import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { packageRoot } from '../lib/runtime/package-root.js';

/** The laws of names and comments: the terms of the field, and sentences that can be read at once. */

const maxWords = 20;

interface Source {
  readonly name: string;
  readonly text: string;
}

function sourcesIn(...folders: readonly string[]): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(packageRoot(), folder), { recursive: true })
      .map((name) => path.posix.join(folder, String(name)))
      .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.includes('node_modules'))
      .map((name) => ({ name, text: readFileSync(path.join(packageRoot(), name), 'utf8') })),
  );
}

/** The lines of each comment that has lines of its own, without its marks. */
function commentsOf({ text }: Source): string[][] {
  const comments: string[][] = [];
  for (const [whole] of text.matchAll(/^[ \t]*\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm)) {
    comments.push(
      whole
        .replace(/\*\/\s*$/, '')
        .split('\n')
        .map((line) => line.replace(/^\s*(\/\*\*?|\/\/|\*)? ?/, '')),
    );
  }
  return comments;
}

/** Lines that are set as they stand: tables, tags, what a tool reads, and blank ones. */
const isSet = (line: string) => /^\s*$|\S {3,}\S|^\s*@|^ {3,}|^(biome|@?ts)-|^[#/=─]/.test(line);

/** The sentences of a comment. A blank line, a list's item and a line that is set end one. */
function sentencesOf(lines: readonly string[]): string[] {
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (isSet(line)) paragraphs.push([]);
    else if (/^\s*(?:[-*]|\d+\.) /.test(line)) paragraphs.push([line]);
    else paragraphs.at(-1)?.push(line.trim());
  }
  return paragraphs.flatMap((words) => words.join(' ').split(/(?<=[.!?][)”’`]?)\s+(?=[A-Z`“(‘\d@[])/));
}

const wordsIn = (sentence: string) => sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;

function longSentences(source: Source): string[] {
  return commentsOf(source)
    .flatMap(sentencesOf)
    .filter((sentence) => wordsIn(sentence) > maxWords)
    .map((sentence) => `${source.name}: ${sentence}`);
}

/** Names that stood on the spine once, and meant several things or none. */
const forbidden: ReadonlySet<string> = new Set(
  `Asked asked Reading Standing Traveller beginner goingOn keptOrRead payFor told tell tells Told offered
  gathered till Till Books openBooks OpenBooks Desk desk DeskConfig Holders KeyRing Bell rung Rests Allowance Wish wish
  Asker asker Ask ShortWay shortWay HeldLimits Kept remark remarked troubled patience witness sought fuller slim pb
  Bed bed Said said Say say`.split(/\s+/),
);

/** A name where it is declared: behind its keyword, as a private one, or before its type. */
const declaration =
  /\b(?:const|let|function\*?|class|interface|type|readonly|async(?!\s+function))\s+#?([A-Za-z]\w*)|#([A-Za-z]\w*)|[({,;]\s*([A-Za-z]\w*)\??:\s/g;

const declaredNames = ({ text }: Source): string[] =>
  [...text.matchAll(declaration)].map(([, named, hidden, typed]) => named ?? hidden ?? typed ?? '');

const isWrong = (name: string) =>
  forbidden.has(name) || /^((most|least|longest|usual)[A-Z]|(told|tells?|traveller)([A-Z]|-))/.test(name);

function wrongNames(source: Source): string[] {
  const file = path.posix.basename(source.name).replace(/\.\w+$/, '');
  return [file, ...declaredNames(source)].filter(isWrong).map((name) => `${source.name}: ${name}`);
}

describe('the words of the house', () => {
  test(`a sentence of a comment has ${maxWords} words at most`, () => {
    const sources = sourcesIn('lib', 'src', 'scripts', 'test');
    assert.ok(sources.flatMap(commentsOf).length > 1000);
    assert.deepEqual(sources.flatMap(longSentences), []);
    const long = `${'word '.repeat(maxWords)}end`;
    for (const text of [
      `/** ${long}. */`,
      `  // ${long.replaceAll('d w', 'd\n  // w')}.`,
      `/**\n * Short. ${long}: so. */`,
    ]) {
      assert.equal(longSentences({ name: 'a.ts', text }).length, 1, text);
    }
    assert.deepEqual(
      longSentences({ name: 'a.ts', text: `/** W${long.slice(6)}. W${long.slice(6)}. */` }),
      [],
    );
  });

  test('names are those of the field, and no word means two things', () => {
    // The names below stand in this file as text.
    const sources = sourcesIn('lib', 'src', 'scripts', 'test').filter(
      ({ name }) => name !== 'test/terms.test.ts',
    );
    assert.ok(sources.flatMap(declaredNames).length > 10_000);
    assert.deepEqual(sources.flatMap(wrongNames), []);
    for (const text of [
      'const told = 1;',
      'class A { #patience = 1 }',
      'function f(usualShare: number) {}',
      'type Till = 1;',
    ]) {
      assert.equal(wrongNames({ name: 'lib/a.ts', text }).length, 1, text);
    }
    assert.equal(wrongNames({ name: 'lib/till.ts', text: '' }).length, 1);
    assert.equal(wrongNames({ name: 'src/mcp/told-messages.ts', text: '' }).length, 1);
    assert.equal(
      wrongNames({ name: 'lib/a.ts', text: 'export async function tell(): Promise<void> {}' }).length,
      1,
    );
    assert.equal(wrongNames({ name: 'test/jobs/bed.ts', text: '' }).length, 1);
  });
});
