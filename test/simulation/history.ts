import { minuteMs } from '../../lib/runtime/clock.js';
import { disk } from './disk.js';
import { faults } from './faults.js';
import { checkAlways, checkEnd } from './invariants.js';
import { operations } from './operations.js';
import { mix, Random } from './random.js';
import { World } from './world.js';

/** A step of a history: an action, and the seed of its random choices. */
export interface Step {
  readonly name: string;
  readonly seed: number;
}

/** The outcome of a history; `broken` is null if every invariant held. */
export interface Outcome {
  readonly broken: string | null;
  readonly log: readonly string[];
}

const table = [...Object.entries(operations), ...Object.entries(faults)];
/** Factors of the weights in a history: rare faults coincide if others are absent. */
const emphases = [0, 1, 1, 5];

/** The steps of a seed. */
export function planOf(seed: number): readonly Step[] {
  const random = new Random(mix(seed, 'plan'));
  const choices = table.map(([name, [weight]]) => ({ name, weight: weight * random.pick(emphases) }));
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  return Array.from({ length: random.whole(20, 70) }, () => {
    let rest = random.fraction() * total;
    const { name } = choices.find(({ weight }) => {
      rest -= weight;
      return rest < 0;
    }) ?? { name: 'pass' };
    return { name, seed: random.whole(0, 2 ** 31) };
  });
}

async function take(world: World, { name, seed }: Step): Promise<void> {
  const random = new Random(seed);
  const operation = operations[name]?.[1];
  if (operation === undefined) await faults[name]?.[1](world, random);
  else {
    if (world.servers.length === 0) await world.start();
    if (world.servers.length > 0) operation(world, new Random(seed), random.pick(world.servers));
    // Some clients send a request twice, possibly to another server.
    await world.work(random.whole(0, 12));
    if (world.servers.length > 0 && random.chance(0.2))
      operation(world, new Random(seed), random.pick(world.servers));
  }
  await world.work(random.whole(0, 12), random.pick([0, 0, 50, 2000]));
  world.reap();
}

/** Everything works again, with enough time to settle. */
async function heal(world: World): Promise<void> {
  world.note('everything is well');
  Object.assign(disk, { isFull: false, failingSyncs: 0, syncMs: 0 });
  world.outside.isWell = true;
  for (const server of world.servers) server.process.fuse = undefined;
  await world.pass(2000);
  world.reap();
  while (world.servers.length === 0) {
    await world.start();
    await world.pass(1000);
  }
  // A ledger looks for leftovers of killed processes at its next operation, at most once a minute.
  for (let minutes = 0; minutes < 3; minutes += 1) {
    const [server] = world.servers;
    if (server !== undefined) operations.grant?.[1](world, new Random(minutes), server);
    await world.pass(61_000);
  }
  // Sweeps and runs of schedules come late.
  await world.pass(8 * minuteMs);
  for (const { account, id } of world.schedules) {
    const [server] = world.servers;
    await Promise.all([
      server?.process.run(() => server.jobs.schedules.end(account, id).catch(() => undefined)),
      world.pass(100),
    ]);
  }
  await world.pass(minuteMs);
}

/** Runs the steps of a history over a world of that seed. */
export async function runHistory(seed: number, steps: readonly Step[] = planOf(seed)): Promise<Outcome> {
  const world = await World.make(seed);
  let broken: string | null = null;
  try {
    for (const step of steps) {
      await take(world, step);
      await checkAlways(world);
    }
    await heal(world);
    await checkEnd(world);
  } catch (cause) {
    broken =
      cause instanceof Error && cause.name === 'Broken' ? cause.message : String((cause as Error).stack);
    world.note(`BROKEN: ${broken}`);
  }
  await world.end();
  return { broken, log: world.log };
}
