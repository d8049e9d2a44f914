import { dayMs } from '../../lib/runtime/clock.js';
import { disk } from './disk.js';
import { machine } from './machine.js';
import type { Random } from './random.js';
import type { World } from './world.js';

/** Failures and events in addition to the clients' actions. */
export type Fault = (world: World, random: Random) => void | Promise<void>;

const victim = (world: World, random: Random) =>
  world.servers.length === 0 ? undefined : random.pick(world.servers);

/** Kills a process now, or at one of its next statements. */
function kill(world: World, random: Random): void {
  const server = victim(world, random);
  if (server === undefined) return;
  const statements = random.whole(0, 40);
  world.note(`kill -9 ${server.process.name}${statements === 0 ? '' : ` after ${statements} statements`}`);
  if (statements === 0) world.kill(server);
  else server.process.fuse = statements;
}

function powerFails(world: World): void {
  world.note('the power fails');
  world.powerFails();
}

async function start(world: World): Promise<void> {
  if (world.servers.length < 2) await world.start();
}

function stop(world: World, random: Random): void {
  const server = victim(world, random);
  if (server === undefined) return;
  world.note(`${server.process.name} is told to stop`);
  // It receives no more requests.
  world.servers.splice(world.servers.indexOf(server), 1);
  world.stopping.add(server);
  const done = () => world.stopping.delete(server);
  void server.process.run(() => server.stop()).then(done, done);
}

function fillDisk(world: World, random: Random): void {
  disk.isFull = true;
  const seconds = random.whole(1, 20);
  world.note(`the disk is full for ${seconds} s`);
  machine.timeline.after(seconds * 1000, () => {
    disk.isFull = false;
  });
}

function failSyncs(world: World, random: Random): void {
  disk.failingSyncs = random.pick([1, 1, 1, 3]);
  world.note(`the next ${disk.failingSyncs} syncs fail`);
}

function slowDisk(world: World, random: Random): void {
  disk.syncMs = random.pick([0, 1, 15]);
  world.note(`a sync takes ${disk.syncMs} ms`);
}

function moveDate(world: World, ms: number): void {
  machine.dateOffset += ms;
  if (ms < 0) world.wentBack = true;
  if (ms >= dayMs) world.leaptDays = true;
  if (ms > 0) world.leaps.push({ at: machine.timeline.now, ms });
  world.note(`the date is set by ${ms / 1000} s`);
}

function setDate(world: World, random: Random): void {
  moveDate(world, random.pick([-90_000, -3_600_000, 70_000, 3_600_000, 3 * dayMs]));
}

/** Sets the date forward during the delivery of a webhook, so that its claim appears to have expired. */
async function leapInDelivery(world: World): Promise<void> {
  for (let looks = 0; looks < 20 && world.outside.onTheWay === 0; looks += 1) await world.pass(200);
  if (world.outside.onTheWay === 0) return;
  moveDate(world, 70_000);
  await world.pass(2500);
}

async function pass(world: World, random: Random): Promise<void> {
  const ms = random.pick(world.pauses);
  world.note(`${ms} ms pass`);
  await world.pass(ms);
}

/** The faults with their weights. */
export const faults: Readonly<Record<string, readonly [weight: number, Fault]>> = {
  pass: [16, pass],
  kill: [5, kill],
  power: [1, powerFails],
  start: [6, start],
  stop: [2, stop],
  'full-disk': [1, fillDisk],
  'failed-sync': [2, failSyncs],
  'slow-disk': [1, slowDisk],
  date: [3, setDate],
  'leap-in-delivery': [2, leapInDelivery],
};
