import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { packageRoot } from '../../lib/runtime/package-root.js';

interface Place {
  readonly start: number;
  readonly end: number;
}

const script = pathToFileURL(path.join(packageRoot(), 'scripts', 'eager-functions.mjs')).href;
const { withEagerFunctions } = (await import(script)) as {
  withEagerFunctions: (code: string, isMarked: (place: Place) => boolean) => string;
};

const source = `const first=declared(1);
function declared(x){return x+later(x)}
function later(x){return x*2}
async function waits(){return(x=>x+1)(1)}
const waiting=async()=>waits();
const object={method(){return this.value()}}
object.value=()=>function(){return 3}`;

/** What the program leaves behind. */
async function run(code: string) {
  const program = new Function(`${code}\nreturn{first,waiting,object,names:[declared.name,waits.name]}`);
  const { first, waiting, object, names } = program();
  return { first, names, waited: await waiting(), value: object.method()() };
}

test('marked functions do what they did, also those that are called before they are declared', async () => {
  const expected = { first: 3, names: ['declared', 'waits'], waited: 2, value: 3 };
  assert.deepEqual(await run(source), expected);
  const marked = withEagerFunctions(source, () => true);
  assert.match(marked, /value=\(\(\)=>\(function\(\)/);
  assert.deepEqual(await run(marked), expected);
});

test('V8 keeps the code of a marked function, and of no other', () => {
  const body = 'x=x+1;'.repeat(100);
  const code = `function one(x){${body}}\nfunction two(x){${body}}`;
  const bytes = (text: string) => new Script(text).createCachedData().length;
  const one = withEagerFunctions(code, ({ start }) => start === 0);
  assert.match(one, /^var one=\(function\(x\)/);
  assert.ok(bytes(one) > bytes(code) + 500);
  assert.ok(bytes(withEagerFunctions(code, () => true)) > bytes(one) + 500);
  assert.equal(
    withEagerFunctions(code, () => false),
    code,
  );
});
