import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../lib/batch/batch.js';
import { createExtractor } from '../../lib/extractor.js';
import * as library from '../../lib/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const home = temporaryFolder();

describe('the batch of the library', () => {
  test('accepts an iterable of inputs and returns a line for each, in order', async () => {
    const extractor = createExtractor({ home });
    async function* inputs() {
      for (let at = 0; at < 30; at += 1) yield { username: `somebody${at}`, demo: true };
    }
    let count = 0;
    for await (const line of batch(library.getShortvideoProfile, inputs(), { extractor })) {
      assert.deepEqual(Object.keys(line), ['input', 'data']);
      assert.equal(line.input.username, `somebody${count}`);
      assert.equal(line.data?.username, line.input.username);
      count += 1;
    }
    assert.equal(count, 30);
    await extractor.close();
  });

  test('takes a list as well, and an input that fails is a line with its error', async () => {
    const extractor = createExtractor({ home, docsUrl: 'https://docs.test' });
    const inputs = [{ username: 'a', demo: true }, { handle: 'b' }, 'c', null, [1]] as never[];
    const lines = [];
    for await (const line of library.batch(library.getShortvideoProfile, inputs, { extractor }))
      lines.push(line);
    const lineInputs = lines.map(({ input }) => input);
    assert.deepEqual(lineInputs, inputs);
    const codes = lines.map(({ error }) => error?.code);
    assert.deepEqual(codes, [undefined, 'renamed_parameter', 'invalid_body', 'invalid_body', 'invalid_body']);
    const error = lines[2]?.error;
    assert.deepEqual(Object.keys(error ?? {}), ['type', 'code', 'message', 'docs', 'request_id']);
    assert.match(error?.message ?? '', /^Input 2 is not an object of parameters\./);
    assert.match(error?.request_id ?? '', /^batch_[0-9A-Z]{26}:2$/);
    assert.equal(error?.docs, 'https://docs.test/docs/errors/invalid_body');
    await extractor.close();
  });

  test('can be abandoned and stopped', async () => {
    const extractor = createExtractor({ home });
    function* endless() {
      for (let at = 0; ; at += 1) yield { username: `name${at}`, demo: true };
    }
    for await (const line of batch(library.getShortvideoProfile, endless(), { extractor })) {
      if (line.input.username === 'name40') break;
    }
    const stop = new AbortController();
    let count = 0;
    for await (const _ of batch(library.getShortvideoProfile, endless(), { extractor, stop: stop.signal })) {
      count += 1;
      if (count === 20) stop.abort();
    }
    assert.ok(count >= 20 && count < 100, `${count}`);
    await extractor.close();
  });
});
