import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Line, linesOf, maxLineBytes } from '../../../src/files/batch-files/lines.js';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function linesIn(input: string | Buffer, size = 1 << 20): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of await linesOf(inPieces(Buffer.from(input as string), size))) lines.push(line);
  return lines;
}

const texts = async (input: string | Buffer, size?: number) =>
  (await linesIn(input, size)).map(({ number, text }) => [number, text]);

describe('the lines of an input', () => {
  test('are numbered as in an editor, without blank ones', async () => {
    assert.deepEqual(await texts('a\n\n \t\nb\n'), [
      [1, 'a'],
      [4, 'b'],
    ]);
  });

  test('need no line break at the end', async () => {
    assert.deepEqual(await texts('a\nb'), [
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  test('that are too long are quoted by their beginning, and the next is read normally', async () => {
    const long = 'x'.repeat(10 * 1024 * 1024);
    const lines = await linesIn(`a\n${long}\nb\n`, 64 * 1024);
    const rows = lines.map(({ number, text, fault }) => [number, text.length, fault]);
    assert.deepEqual(rows, [
      [1, 1, null],
      [2, 1024, 'too long'],
      [3, 1, null],
    ]);
  });

  test('that are not UTF-8 are reported, and nothing is guessed', async () => {
    const lines = await linesIn(
      Buffer.concat([Buffer.from('a\n'), Buffer.from([0x7a, 0xfc, 0x0a]), Buffer.from('b')]),
    );
    const faults = lines.map(({ fault }) => fault);
    assert.deepEqual(faults, [null, 'not UTF-8', null]);
  });

  test('carry a mark that depends on all that came before, and not on line breaks', async () => {
    const marks = async (input: string) => (await linesIn(input)).map(({ checksum }) => checksum);
    const [first, second] = await marks('a\nb\n');
    assert.deepEqual(await marks('\ufeffa\r\n\n\nb'), [first, second]);
    assert.notEqual((await marks('c\nb\n'))[1], second);
    const long = 'x'.repeat(maxLineBytes * 2);
    assert.notDeepEqual(await marks(`${long}y\nb`), await marks(`${long}z\nb`));
  });

  test('tell how far the input is read', async () => {
    const lines = await linesIn('\ufeffab\r\n\ncd\nef');
    const ends = lines.map(({ end }) => end);
    assert.deepEqual(ends, [7, 11, 13]);
  });

  test('of any text are those that splitting gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r\n', ' ', '🐦') }),
        fc.integer({ min: 1, max: 9 }),
        async (input, size) => {
          const expected = input
            .split('\n')
            .map((line, at) => [at + 1, line.replace(/\r$/, '')] as const)
            .filter(([, line]) => line.trim() !== '');
          assert.deepEqual(await texts(input, size), expected);
        },
      ),
      { numRuns: 200 },
    );
  });
});
