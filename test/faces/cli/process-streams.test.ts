import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, test } from 'node:test';
import { dataStream, noteStream } from '../../../src/faces/cli/process-streams.js';

/** A stream that takes what is written, or fails with a code. */
const streamOf = (columns: number | undefined, code?: string) =>
  Object.assign(
    new Writable({
      write(_chunk, _encoding, done) {
        done(code === undefined ? null : Object.assign(new Error(`write ${code}`), { code }));
      },
    }),
    { isTTY: columns !== undefined, columns },
  ) as Writable & { isTTY: boolean; columns: number };

describe('the streams of a process', () => {
  test('a terminal that tells no size has none, and is not 0 columns wide', () => {
    assert.equal(dataStream(streamOf(0)).columns, undefined);
    assert.equal(dataStream(streamOf(80)).columns, 80);
  });

  test('are as wide as the terminal is now', () => {
    const terminal = streamOf(80);
    const notes = noteStream(terminal);
    terminal.columns = 50;
    assert.equal(notes.columns, 50);
  });

  test('data that cannot be written is a fault, and a note is none', async () => {
    await assert.rejects(dataStream(streamOf(80, 'ENOSPC')).write('x'), /its disk is full/);
    await assert.rejects(dataStream(streamOf(80, 'EPIPE')).write('x'), { code: 'EPIPE' });
    await noteStream(streamOf(80, 'ENOSPC')).write('x');
    await noteStream(streamOf(80, 'EPIPE')).write('x');
  });
});
