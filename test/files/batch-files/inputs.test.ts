import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Input } from '../../../src/files/batch-files/input.js';
import { formatOfName, type InputFormat } from '../../../src/files/batch-files/input.js';
import { openSource, readInputs } from '../../../src/files/batch-files/read-inputs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { thingEndpoint } from '../../support/test-client.js';

const endpoint = thingEndpoint(() => assert.fail('nothing is read'));

async function inputsIn(text: string | Buffer, format: InputFormat, chunkBytes = Infinity): Promise<Input[]> {
  const bytes = Buffer.from(text as string);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const inputs: Input[] = [];
  const reading = { format, endpoint, nameOf: (value: string) => (value.includes('://') ? 'url' : 'name') };
  for await (const input of readInputs(chunks(), reading)) inputs.push(input);
  return inputs;
}

/** Place, line, and parameters or what is wrong. */
const summary = (inputs: readonly Input[]) =>
  inputs.map(({ index, line, params, fault }) => [index, line, params ?? fault?.message]);

describe('NDJSON inputs', () => {
  test('are an object of parameters a line', async () => {
    const inputs = await inputsIn('{"name":"a","size":3}\n\n  {"name": "b"}  \n', 'ndjson');
    assert.deepEqual(summary(inputs), [
      [0, 1, { name: 'a', size: 3 }],
      [1, 3, { name: 'b' }],
    ]);
    const echoes = inputs.map(({ echo }) => echo);
    assert.deepEqual(echoes, ['{"name":"a","size":3}', '{"name": "b"}']);
    assert.equal(inputs[0]?.texts, false);
  });

  test('that are something else are errors at their position, and the others continue', async () => {
    const rows = ['{"name":', '[1]', 'null', '0', '"a"', 'true', '{"name":"a"} x', 'nonsense', '{}'];
    const inputs = await inputsIn(`${rows.join('\n')}\n{"name":"z"}`, 'ndjson');
    assert.equal(inputs.length, 10);
    for (const [at, { fault, line }] of inputs.slice(0, 8).entries()) {
      assert.equal(fault?.code, 'invalid_body');
      assert.equal(fault?.message, `Line ${line} is not a JSON object of parameters. Correct that line.`);
      assert.equal(JSON.parse(inputs[at]?.echo ?? ''), rows[at]);
    }
    assert.deepEqual(inputs[8]?.params, {});
    assert.deepEqual(inputs[9]?.params, { name: 'z' });
  });

  test('with hostile keys and halves of characters stay what they are', async () => {
    const text = '{"__proto__":{"polluted":true},"name":"\\ud800"}';
    const [input] = await inputsIn(text, 'ndjson');
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    assert.equal(input?.echo, text);
    assert.deepEqual(Object.keys(input?.params ?? {}), ['__proto__', 'name']);
  });
});

describe('JSON inputs', () => {
  for (const chunkBytes of [1, 3, Infinity]) {
    test(`are the values of a document in UTF-8, read ${chunkBytes} bytes at a time`, async () => {
      const text = '\ufeff[ {"name": "é\ufffd"},\n"\u00a0à🙂", à, {"name":"z"} ]';
      const inputs = await inputsIn(text, 'json', chunkBytes);
      assert.deepEqual(summary(inputs), [
        [0, 1, { name: 'é\ufffd' }],
        [1, 2, { name: 'à🙂' }],
        [2, 2, 'Line 2 is not a JSON object of parameters. Correct that line.'],
        [3, 2, { name: 'z' }],
      ]);
      assert.equal(inputs[2]?.echo, '"à"');
    });

    test(`that are not UTF-8 are errors at their position, read ${chunkBytes} bytes at a time`, async () => {
      const bytes = Buffer.from('["caf\xe9",\n{"name":"caf\xe9"},{"name":"z"}]', 'latin1');
      assert.deepEqual(summary(await inputsIn(bytes, 'json', chunkBytes)), [
        [0, 1, 'Line 1 is not UTF-8 text. Save the file as UTF-8.'],
        [1, 2, 'Line 2 is not UTF-8 text. Save the file as UTF-8.'],
        [2, 2, { name: 'z' }],
      ]);
    });
  }
});

describe('text inputs', () => {
  test('are an identifying value a line', async () => {
    const inputs = await inputsIn(' a \nhttps://x.test/b\n', 'text');
    assert.deepEqual(summary(inputs), [
      [0, 1, { name: 'a' }],
      [1, 2, { url: 'https://x.test/b' }],
    ]);
    assert.equal(inputs[0]?.echo, '{"name":"a"}');
    assert.equal(inputs[0]?.texts, true);
  });
});

describe('CSV inputs', () => {
  for (const chunkBytes of [1, 2, 3])
    test(`are UTF-16 by their mark, read ${chunkBytes} bytes at a time`, async () => {
      const little = Buffer.from('\uFEFFname\nÄ\n', 'utf16le');
      for (const bytes of [little, Buffer.from(little).swap16()])
        assert.deepEqual(summary(await inputsIn(bytes, 'csv', chunkBytes)), [[0, 2, { name: 'Ä' }]]);
      assert.deepEqual(summary(await inputsIn('a', 'text', chunkBytes)), [[0, 1, { name: 'a' }]]);
    });

  test('have a header of parameters, and an empty value is not passed', async () => {
    const inputs = await inputsIn('\ufeffname,size\r\na,3\r\n"b, c",\r\n\r\nd\r\n', 'csv');
    assert.deepEqual(summary(inputs), [
      [0, 2, { name: 'a', size: '3' }],
      [1, 3, { name: 'b, c' }],
      [2, 5, { name: 'd' }],
    ]);
    assert.equal(inputs[0]?.texts, true);
  });

  test('may have quotes and line breaks inside a value', async () => {
    const inputs = await inputsIn('name\n"say ""hi"""\n"two\nlines"\nnext\n', 'csv');
    assert.deepEqual(summary(inputs), [
      [0, 2, { name: 'say "hi"' }],
      [1, 3, { name: 'two\nlines' }],
      [2, 5, { name: 'next' }],
    ]);
  });

  test('with unmatched quotes are errors at their position, and swallow nothing after them', async () => {
    const inputs = await inputsIn('name,size\n"never closed,1\nb,2\n5" pipe,3\nc,4\n"d"e,5\nf,6\n', 'csv');
    assert.deepEqual(summary(inputs), [
      [0, 2, 'Line 2 is not a CSV record: it has unmatched quotes. Correct that line.'],
      [1, 3, { name: 'b', size: '2' }],
      [2, 4, 'Line 4 is not a CSV record: it has unmatched quotes. Correct that line.'],
      [3, 5, { name: 'c', size: '4' }],
      [4, 6, 'Line 6 is not a CSV record: it has unmatched quotes. Correct that line.'],
      [5, 7, { name: 'f', size: '6' }],
    ]);
  });

  test('with more values than columns are errors at their position', async () => {
    assert.deepEqual(summary(await inputsIn('name\na,b\nc\n', 'csv')), [
      [0, 2, 'Line 2 has 2 values for 1 columns. Correct that line.'],
      [1, 3, { name: 'c' }],
    ]);
  });

  test('whose header does not fit the endpoint are refused before any request', async () => {
    const unknown = { code: 'unknown_parameter', message: /nane.*Did you mean name/s };
    await assert.rejects(inputsIn('nane,colour\na,b\n', 'csv'), unknown);
    await assert.rejects(inputsIn('client,colour\na,b\n', 'csv'), { code: 'unknown_parameter' });
    const renamed = { code: 'renamed_parameter', message: /now called name/ };
    await assert.rejects(inputsIn('title\na\n', 'csv'), renamed);
    await assert.rejects(inputsIn('name,name\na,b\n', 'csv'), { code: 'conflicting_parameters' });
    await assert.rejects(inputsIn('"name\na\n', 'csv'), { code: 'invalid_body' });
  });

  test('with bare carriage returns, as old programs write them, are read', async () => {
    for (const chunkBytes of [1, 7, Infinity]) {
      const inputs = await inputsIn('name,size\ra,3\r\rb,\r', 'csv', chunkBytes);
      assert.deepEqual(summary(inputs), [
        [0, 2, { name: 'a', size: '3' }],
        [1, 4, { name: 'b' }],
      ]);
    }
    assert.deepEqual(summary(await inputsIn('a\rb', 'text')), [
      [0, 1, { name: 'a' }],
      [1, 2, { name: 'b' }],
    ]);
  });

  test('whose columns have the names of every object have their values', async () => {
    const names = ['constructor', 'toString', '__proto__'];
    const [empty, full] = await inputsIn(`name,${names.join()}\na,,,\nb,x,y,z\n`, 'csv');
    const nulls = names.map((name) => [name, null]);
    assert.deepEqual(Object.entries(empty?.own ?? {}), nulls);
    assert.deepEqual(Object.values(full?.own ?? {}), ['x', 'y', 'z']);
  });
});

describe('a file of inputs', () => {
  const folder = temporaryFolder();

  test('is read to its end, and its size is known', async () => {
    const file = path.join(folder, 'names');
    writeFileSync(file, 'x'.repeat(1_000_000));
    const source = await openSource(file);
    let size = 0;
    for await (const chunk of source.chunks) size += chunk.length;
    assert.deepEqual([size, source.size], [1_000_000, 1_000_000]);
    await source.close();
  });

  test('that is missing, unreadable or a folder is refused', async () => {
    const missing = { code: 'invalid_parameter', message: /No such file: / };
    await assert.rejects(openSource(path.join(folder, 'nowhere')), missing);
    mkdirSync(path.join(folder, 'sub'));
    await assert.rejects(openSource(path.join(folder, 'sub')), { message: / is a folder/ });
    const closed = path.join(folder, 'closed');
    writeFileSync(closed, '');
    chmodSync(closed, 0);
    if (process.getuid?.() !== 0) await assert.rejects(openSource(closed), { message: /may not be read/ });
  });

  test('indicates its format by its name', () => {
    const formats = ['csv', 'CSV', 'tsv', 'ndjson', 'jsonl', 'json', 'xlsx'].map((ending) =>
      formatOfName(`a.${ending}`),
    );
    assert.deepEqual(formats, ['csv', 'csv', 'tsv', 'ndjson', 'ndjson', 'json', 'xlsx']);
    for (const name of ['a', '', 'a.txt', 'a.constructor']) assert.equal(formatOfName(name), null);
  });
});
