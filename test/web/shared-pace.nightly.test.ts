import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { fromSource } from '../support/from-source.js';
import { loopback } from '../support/loopback.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const program = path.join(packageRoot(), 'test', 'web', 'pace-program.ts');
const children = new Set<ChildProcess>();
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a process; the moments that it reserves and uses go into the set. */
function start(plan: object, moments = new Set<number>()): ChildProcess {
  const child = spawn(process.execPath, [...fromSource, program, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child.once('exit', () => children.delete(child)));
  assert.ok(child.stdout);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { at, instead } = JSON.parse(line) as { at: number; instead?: number };
    if (instead !== undefined) moments.delete(instead);
    moments.add(at);
  });
  return child;
}

/** Ends a process; what it said has been heard then. */
async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

/** Milliseconds between one arrival and the next. */
const gaps = (arrivals: readonly number[]) =>
  arrivals.slice(1).map((at, index) => at - (arrivals[index] as number));

/**
 * Reserved moments keep the pace, and no request comes before its own. A machine or process that is suspended between
 * the two moves arrivals closer together, but none to an earlier time.
 */
function assertPaced(arrivals: readonly number[], reserved: ReadonlySet<number>, ms: number): void {
  const moments = [...reserved].sort((a, b) => a - b);
  assert.ok(moments.length >= arrivals.length);
  assert.deepEqual(
    gaps(moments).filter((gap) => gap < ms),
    [],
  );
  const early = arrivals.map((at, index) => at - (moments[index] as number));
  // A timer of Node.js may be a millisecond early.
  assert.ok(Math.min(...early) >= -2, String(early));
}

describe('processes over one data directory', () => {
  test('keep one pace together while some are killed and restarted', async (t) => {
    const arrivals: number[] = [];
    const server = await loopback(t, (_request, response) => {
      arrivals.push(Date.now());
      response.end('x');
    });
    const ms = 200;
    const plan = {
      home: path.join(folder, 'killed'),
      origin: server.origin,
      ms,
      cooldownMs: 0,
      count: 1e6,
    };
    const moments = new Set<number>();
    const running = Array.from({ length: 4 }, () => start(plan, moments));
    while (arrivals.length < 10) await setTimeout(10);
    for (let kills = 0; kills < 6; kills += 1) {
      const victim = running[kills % 4] as ChildProcess;
      await setTimeout(((kills * 7919) % 5) * 60);
      await kill(victim);
      running[kills % 4] = start(plan, moments);
      const before = arrivals.length;
      while (arrivals.length < before + 5) await setTimeout(10);
    }
    await Promise.all(running.map(kill));
    assert.ok(arrivals.length >= 40);
    assertPaced(arrivals, moments, ms);
  });

  test('that are begun one after the other for one call each are as polite as one', async (t) => {
    const arrivals: number[] = [];
    const server = await loopback(t, (_request, response) => {
      arrivals.push(Date.now());
      response.end('x');
    });
    // Longer than a process takes to start.
    const plan = {
      home: path.join(folder, 'loop'),
      origin: server.origin,
      ms: 3000,
      cooldownMs: 0,
      count: 1,
    };
    const moments = new Set<number>();
    for (let call = 0; call < 3; call += 1) await once(start(plan, moments), 'close');
    assert.equal(arrivals.length, 3);
    assertPaced(arrivals, moments, 3000);
  });

  test('make no request during another process’s cool-down, even if they start meanwhile', async (t) => {
    const arrivals: number[] = [];
    let refusedAt = 0;
    const server = await loopback(t, (_request, response) => {
      const now = performance.now();
      arrivals.push(now);
      if (arrivals.length === 12) refusedAt = now;
      response.writeHead(arrivals.length === 12 ? 429 : 200).end('x');
    });
    const ms = 100;
    const cooldownMs = 4000;
    const plan = { home: path.join(folder, 'cooldown'), origin: server.origin, ms, cooldownMs, count: 1e6 };
    const running = Array.from({ length: 3 }, () => start(plan));
    while (refusedAt === 0) await setTimeout(5);
    running.push(start(plan));
    while (arrivals.length < 30) await setTimeout(10);
    for (const child of running) child.kill('SIGKILL');
    // What was on its way when the platform refused is no request of the cool-down.
    const during = arrivals.filter((at) => at > refusedAt + ms && at < refusedAt + cooldownMs - 50);
    assert.deepEqual(during, []);
  });
});
