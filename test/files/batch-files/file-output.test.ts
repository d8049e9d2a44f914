import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import {
  Checkpoint,
  type CheckpointHeader,
  readCheckpoint,
} from '../../../src/files/batch-files/checkpoint.js';
import { FileOutput, type OutputHandle, openFileOutput } from '../../../src/files/batch-files/file-output.js';
import { noTotals } from '../../../src/files/batch-files/totals.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
let files = 0;
const head: CheckpointHeader = {
  extract_batch: 1,
  id: 'batch_X',
  endpoint: 'maps/thing',
  shape: { output: 'ndjson', all: false, flatten: false },
};
const start = { totals: noTotals, copied: 0 };
const after = (inputs: number) => ({ totals: { ...noTotals, inputs, ok: inputs }, copied: 0 });

async function openOutput() {
  files += 1;
  const file = path.join(folder, `${files}.ndjson`);
  const clock = new FakeClock();
  const checkpoint = await Checkpoint.create(`${file}.checkpoint`, head);
  return { file, clock, checkpoint };
}

const checkpointOf = (file: string, size = Number.MAX_SAFE_INTEGER) =>
  readCheckpoint(`${file}.checkpoint`, size);

describe('an output in a file', () => {
  test('contains the added lines in order, and its checkpoint confirms them at the end', async () => {
    const { file, clock, checkpoint } = await openOutput();
    const output = await openFileOutput(file, { checkpoint, clock, offset: 0, position: start });
    for (let line = 1; line <= 1000; line += 1) await output.add(`line ${line} ñ\n`, after(line));
    await output.end(true);
    const text = readFileSync(file, 'utf8');
    assert.equal(text, Array.from({ length: 1000 }, (_, at) => `line ${at + 1} ñ\n`).join(''));
    const entry = (await checkpointOf(file))?.entry;
    assert.deepEqual([entry?.inputs, entry?.bytes, entry?.done], [1000, Buffer.byteLength(text), true]);
  });

  test('is kept on request', async () => {
    const { file, clock, checkpoint } = await openOutput();
    const output = await openFileOutput(file, { checkpoint, clock, offset: 0, position: start });
    output.add('a\n', after(1));
    await output.flush();
    assert.equal((await checkpointOf(file))?.entry?.bytes, 2);
    await output.end(false);
  });

  test('is cut to what the checkpoint covers, truncated or complete', async () => {
    const { file, clock, checkpoint } = await openOutput();
    writeFileSync(file, 'one\ntwo\nthr');
    const output = await openFileOutput(file, { checkpoint, clock, offset: 4, position: after(1) });
    output.add('new\n', after(2));
    await output.end(true);
    assert.equal(readFileSync(file, 'utf8'), 'one\nnew\n');
  });
});

/** A disk with limited space: the last write is partial, then the disk is full. */
function smallDisk(room: number) {
  let content = Buffer.alloc(0);
  const handle = {
    async write(bytes: Buffer, from: number, length: number, at: number) {
      const part = bytes.subarray(from, from + Math.min(length, Math.max(0, room - at)));
      if (part.length === 0)
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      content = Buffer.concat([content.subarray(0, at), part]);
      return { bytesWritten: part.length, buffer: bytes };
    },
    async truncate(size: number) {
      content = content.subarray(0, size);
    },
    async datasync() {},
    async close() {},
  } as unknown as OutputHandle;
  return { handle, content: () => content.toString() };
}

describe('a disk that becomes full', () => {
  test('stops the output with a clear error, complete lines and a checkpoint to resume', async () => {
    const { file, clock, checkpoint } = await openOutput();
    const { handle, content } = smallDisk(10);
    const output = new FileOutput(handle, { checkpoint, clock, offset: 0, position: start });
    output.add('one\n', after(1));
    await output.flush();
    output.add('two\n', after(2));
    await output.flush();
    output.add('three\n', after(3));
    const full = { code: 'internal_error', message: /its disk is full/ };
    await assert.rejects(output.flush(), full);
    await assert.rejects(Promise.resolve(output.add('four\n', after(4))), full);
    await assert.rejects(output.end(true), full);
    assert.equal(content(), 'one\ntwo\n');
    const entry = (await checkpointOf(file))?.entry;
    assert.deepEqual([entry?.inputs, entry?.bytes, entry?.done], [2, 8, false]);
  });
});

describe('a checkpoint', () => {
  test('that does not exist is null', async () => {
    assert.equal(await readCheckpoint(path.join(folder, 'nowhere'), 0), null);
  });

  test('that is something else is refused', async () => {
    const file = path.join(folder, 'other');
    for (const text of ['', 'nonsense\n', '{"a":1}\n', '[]\n', '{"extract_batch":2,"id":"batch_X"}\n']) {
      writeFileSync(file, text);
      await assert.rejects(readCheckpoint(file, 0), {
        code: 'invalid_parameter',
        message: /not the checkpoint/,
      });
    }
  });

  const entries = async () => {
    const { file, checkpoint } = await openOutput();
    for (const inputs of [1, 2, 3]) {
      const { totals, copied } = after(inputs);
      await checkpoint.add({ ...totals, bytes: inputs * 10, copied, bad: [], done: false });
    }
    await checkpoint.close();
    return file;
  };

  test('with a truncated end is valid up to the previous entry', async () => {
    const file = await entries();
    const content = readFileSync(`${file}.checkpoint`);
    const sizes = new Set<number | undefined>();
    for (let size = content.indexOf('\n') + 1; size <= content.length; size += 1) {
      writeFileSync(`${file}.checkpoint`, content.subarray(0, size));
      const stored = await checkpointOf(file);
      assert.ok((stored?.end ?? 0) <= size);
      sizes.add(stored?.entry?.inputs);
    }
    assert.deepEqual([...sizes], [undefined, 1, 2, 3]);
  });

  test('that claims more than the output has is valid up to the end of the output', async () => {
    const file = await entries();
    assert.equal((await checkpointOf(file, 30))?.entry?.inputs, 3);
    assert.equal((await checkpointOf(file, 29))?.entry?.inputs, 2);
    assert.equal((await checkpointOf(file, 9))?.entry, undefined);
  });

  test('trusts nothing after an entry that cannot be read', async () => {
    const file = await entries();
    const lines = readFileSync(`${file}.checkpoint`, 'utf8').split('\n');
    lines[2] = '{"inputs":"many"}';
    writeFileSync(`${file}.checkpoint`, lines.join('\n'));
    assert.equal((await checkpointOf(file))?.entry?.inputs, 1);
  });

  test('continues after its last valid entry, whatever followed it', async () => {
    const file = await entries();
    writeFileSync(`${file}.checkpoint`, `${readFileSync(`${file}.checkpoint`, 'utf8')}{"torn`);
    const stored = await checkpointOf(file, 20);
    assert.ok(stored);
    const checkpoint = await Checkpoint.resume(`${file}.checkpoint`, stored);
    await checkpoint.add({ ...after(7).totals, bytes: 70, copied: 0, bad: [[6, 60, 10]], done: true });
    await checkpoint.close();
    const again = await checkpointOf(file);
    assert.deepEqual([again?.entry?.inputs, again?.entry?.done], [7, true]);
    assert.equal(readFileSync(`${file}.checkpoint`, 'utf8').trim().split('\n').length, 4);
  });
});
