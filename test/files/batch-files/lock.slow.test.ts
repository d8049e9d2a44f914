import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, test } from 'node:test';
import { lockFile } from '../../../lib/runtime/file-lock.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { fromSource } from '../../support/from-source.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const program = path.join(packageRoot(), 'test', 'files', 'batch-files', 'lock-program.ts');
const children = new Set<ChildProcess>();
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** A process that competes for a lock. */
class Contender {
  readonly #child: ChildProcess;
  readonly #words: AsyncIterator<string>;

  constructor(file: string) {
    this.#child = spawn(process.execPath, [...fromSource, program, file], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.add(this.#child);
    assert.ok(this.#child.stdout);
    this.#words = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async send(word: 'take' | 'free'): Promise<string> {
    this.#child.stdin?.write(`${word}\n`);
    return (await this.#words.next()).value as string;
  }

  async kill(): Promise<void> {
    children.delete(this.#child);
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

describe('the lock of a batch', () => {
  test('is held by one of two real processes, in 24 rounds of kill -9 and hand-overs', async () => {
    const file = path.join(folder, 'raced.lock');
    let pair = [new Contender(file), new Contender(file)] as const;
    let kills = 0;
    for (let round = 0; round < 24; round += 1) {
      const words = await Promise.all(pair.map((one) => one.send('take')));
      assert.deepEqual([...words].sort(), ['refused', 'taken'], `round ${round}`);
      const [winner, loser] = words[0] === 'taken' ? pair : ([pair[1], pair[0]] as const);
      assert.equal(await loser.send('take'), 'refused');
      if (round % 2 === 0) {
        await winner.kill();
        kills += 1;
        assert.equal(existsSync(file), true, 'a killed process leaves its file behind');
        pair = [loser, new Contender(file)];
      } else {
        // The loser retries exactly when the winner releases the lock.
        const [, word] = await Promise.all([winner.send('free'), loser.send('take')]);
        if (word === 'taken') assert.equal(await winner.send('take'), 'refused');
        await loser.send('free');
        assert.equal(existsSync(file), false);
      }
    }
    assert.equal(kills, 12);
    await Promise.all(pair.map((one) => one.kill()));
  });

  test('is refused within one process as between two, and free once it is released', async () => {
    const file = path.join(folder, 'own.lock');
    const lock = await lockFile(file);
    assert.ok(lock);
    assert.equal(await lockFile(file), null);
    assert.equal(await lockFile(file), null, 'a refusal does not free it');
    lock.release();
    const again = await lockFile(file);
    assert.ok(again);
    again.remove();
    assert.equal(existsSync(file), false);
  });

  test('writes nothing, so that a full disk does not matter', async () => {
    const file = path.join(folder, 'empty.lock');
    const lock = await lockFile(file);
    assert.equal(statSync(file).size, 0);
    lock?.remove();
  });

  test('belongs to the existing file: a replaced one has another', async () => {
    const file = path.join(folder, 'anew.lock');
    const first = await lockFile(file);
    rmSync(file);
    writeFileSync(file, '');
    const second = await lockFile(file);
    assert.ok(second);
    first?.release();
    assert.equal(await lockFile(file), null);
    second.remove();
  });
});
