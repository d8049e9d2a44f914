import { call } from '../../lib/call/call.js';
import { newRequestId } from '../../lib/runtime/request-id.js';
import { parseSubject } from '../../lib/suppressions/subject.js';
import { Traces } from '../../lib/suppressions/traces.js';
import { InputTexts } from '../../src/service/jobs/job-limits.js';
import { type JobFields, parseJobRequest } from '../../src/service/jobs/job-request.js';
import { submitJob } from '../../src/service/jobs/submit-job.js';
import { disk } from './disk.js';
import { machine } from './machine.js';
import { everyone, people, profile } from './platform.js';
import type { Random } from './random.js';
import type { Server } from './server.js';
import type { AskedCall, AskedJob, Customer, World } from './world.js';

/** The next action of a client; nothing if it has no state for one. */
export type Operation = (world: World, random: Random, server: Server) => void;

const codeOf = (cause: unknown) =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : String(cause);

const activeCustomers = ({ customers }: World) => customers.filter(({ isDeleted }) => !isDeleted);

function newCustomer(world: World, _: Random, server: Server): void {
  const email = `client${world.customers.length}-${world.log.length}@example.com`;
  const credits = 300;
  const make = async () => {
    const { id } = await server.store.accounts.create({ email, verified: true, credits });
    const { key } = await server.store.accounts.createKey({ account: id, name: 'first', platforms: null });
    return { id, key: { id: key.id, name: key.name } };
  };
  world.note(`${server.process.name}: a new account, ${email}`);
  world.ask(
    'an account',
    server,
    make,
    (account) => world.customers.push({ ...account, isDeleted: false, granted: credits, maybeGranted: 0 }),
    (cause) => world.note(`no account: ${codeOf(cause)}`),
  );
}

/** People whose suppression is certain. */
const hiddenNow = (world: World) => [...world.suppressed.keys()].filter((name) => world.isSuppressed(name));

function tellsOfNone(world: World, what: string, told: string, hidden: readonly string[]): void {
  const name = hidden.find((one) => told.includes(`{"username":"${one}","seen"`));
  if (name !== undefined) world.broken = `${what} tells of ${name}, who is suppressed`;
}

function askCall(world: World, random: Random, server: Server): void {
  const customers = activeCustomers(world);
  if (customers.length === 0) {
    newCustomer(world, random, server);
    return;
  }
  const { id: account, key } = random.pick(customers);
  const endpoint = random.pick([profile, everyone]);
  const username = endpoint === profile ? random.pick(people) : 'everyone';
  const hidden = hiddenNow(world);
  const record: AskedCall = { ...{ id: newRequestId(), account, process: server.process, outcome: 'open' } };
  world.calls.push(record);
  world.note(`${server.process.name}: call for ${username}, ${record.id}`);
  world.ask(
    record.id,
    server,
    () =>
      call(endpoint, { username }, server.services, {
        requestId: record.id,
        account,
        key: { ...key, monthlyCredits: null },
      }),
    (answer) => {
      record.outcome = 'answered';
      world.note(`${record.id} is answered, ${answer.source}`);
      tellsOfNone(world, record.id, answer.json, hidden);
    },
    (cause) => {
      record.outcome = 'failed';
      world.note(`${record.id} fails: ${codeOf(cause)}`);
    },
    () => {
      record.outcome = 'lost';
    },
  );
}

/** The fields of a request for a job, the same for every repetition. */
const jobFields = (inputs: readonly string[], hook: boolean, schedule: string | undefined): JobFields => ({
  endpoint: profile.path,
  inputs: new InputTexts(inputs),
  ...(hook ? { webhook_url: 'https://hooks.example/1' } : {}),
  ...(schedule === undefined ? {} : { schedule, history: true }),
});

function askJob(world: World, random: Random, server: Server, schedule?: string): void {
  const customers = activeCustomers(world);
  if (customers.length === 0) {
    newCustomer(world, random, server);
    return;
  }
  const { id: account, key } = random.pick(customers);
  const again = world.jobs.filter((one) => one.account === account && one.key !== undefined);
  const repeated =
    schedule === undefined && again.length > 0 && random.chance(0.3) ? random.pick(again) : undefined;
  const inputs =
    repeated?.inputs ??
    Array.from({ length: random.whole(1, 9) }, () => JSON.stringify({ username: random.pick(people) }));
  const hook = repeated?.hook ?? random.chance(0.6);
  const idempotencyKey = repeated?.key ?? (random.chance(0.5) ? `key${world.jobs.length}` : undefined);
  const record: AskedJob = { account, inputs, hook, key: idempotencyKey, id: null, outcome: 'open' };
  world.jobs.push(record);
  const what = `${schedule === undefined ? 'job' : 'schedule'} of ${inputs.length}${idempotencyKey === undefined ? '' : ` (${idempotencyKey})`}`;
  world.note(`${server.process.name}: ${what}`);
  const request = async () => {
    const parsed = await parseJobRequest(jobFields(inputs, hook, schedule), [profile], account);
    return submitJob(
      server.jobs,
      { account, key: { ...key, monthlyCredits: null }, request: parsed, idempotencyKey },
      (job) => JSON.stringify(job),
    );
  };
  world.ask(
    what,
    server,
    request,
    ({ id, answer, replayed }) => {
      record.id = id;
      record.outcome = 'accepted';
      const schedule = (JSON.parse(answer) as { schedule?: string | null }).schedule;
      if (typeof schedule === 'string') world.schedules.push({ account, id: schedule });
      world.note(`${what} is ${id}${replayed ? ', again' : ''}`);
    },
    (cause) => {
      record.outcome = 'refused';
      world.note(`${what} is refused: ${codeOf(cause)}`);
    },
    () => {
      record.outcome = 'lost';
    },
  );
}

/** Requests something about a job or schedule. Only the invariants judge the outcome. */
function askAbout(world: World, server: Server, what: string, work: () => Promise<unknown>): void {
  world.note(`${server.process.name}: ${what}`);
  world.ask(
    what,
    server,
    work,
    () => undefined,
    (cause) => world.note(`${what}: ${codeOf(cause)}`),
  );
}

const jobOf = (world: World, random: Random) => {
  const known = world.jobs.filter(({ id }) => id !== null);
  // People mostly ask about what they requested last.
  const asked = random.chance(0.5) ? known.slice(-1) : known;
  return asked.length === 0 ? undefined : (random.pick(asked) as AskedJob & { readonly id: string });
};

function cancelJob(world: World, random: Random, server: Server): void {
  const job = jobOf(world, random);
  if (job === undefined) return;
  askAbout(world, server, `cancel ${job.id}`, () =>
    server.jobs.store.cancel(job.account, job.id).finally(() => server.jobs.wake()),
  );
}

function redeliver(world: World, random: Random, server: Server): void {
  const job = jobOf(world, random);
  if (job === undefined) return;
  const askedAt = machine.timeline.now;
  world.redelivered.add(job.id);
  const what = `redeliver ${job.id}`;
  world.note(`${server.process.name}: ${what}`);
  world.ask(
    what,
    server,
    () => server.jobs.webhooks.redeliver(job.account, job.id).finally(() => server.jobs.wake()),
    () => world.owedSince.set(job.id, askedAt),
    (cause) => world.note(`${what}: ${codeOf(cause)}`),
  );
}

function grantByHand(world: World, random: Random, server: Server): void {
  const customers = activeCustomers(world);
  if (customers.length === 0) return;
  const customer: Customer = random.pick(customers);
  const credits = 30;
  const failedBefore = disk.failedSyncs;
  customer.maybeGranted += credits;
  world.note(`${server.process.name}: grant ${credits} to ${customer.id}`);
  world.ask(
    'a grant',
    server,
    () => server.store.purchases.payByHand(customer.id, credits, 'eur'),
    () => {
      customer.granted += credits;
      customer.maybeGranted -= credits;
    },
    (cause) => {
      // Repeated, as an operator would after the failure. A store that is closing cannot verify the commit.
      const isKnown = disk.failedSyncs - failedBefore < 2 && !world.stopping.has(server);
      if (isKnown) customer.maybeGranted -= credits;
      world.note(`the grant fails: ${codeOf(cause)}`);
    },
  );
}

function changeSchedule(world: World, random: Random, server: Server): void {
  if (world.schedules.length === 0) return;
  const { account, id } = random.pick(world.schedules);
  const act = random.pick(['pause', 'resume', 'runNow', 'end'] as const);
  if (act === 'runNow') world.ranNow.add(id);
  askAbout(world, server, `${act} ${id}`, () =>
    server.jobs.schedules[act](account, id).finally(() => server.jobs.wake()),
  );
}

function deleteAccount(world: World, random: Random, server: Server): void {
  const customers = activeCustomers(world);
  if (customers.length < 2) return;
  const customer = random.pick(customers);
  customer.isDeleted = true;
  askAbout(world, server, `delete ${customer.id}`, async () => {
    await server.jobs.cancelAll(customer.id);
    await server.store.accounts.delete(customer.id);
    await server.jobs.forgetDeleted();
  });
}

/** Suppresses a person and may delete their data, as an operator does with two commands. */
function forgetPerson(world: World, random: Random, server: Server): void {
  const name = random.pick(people);
  const subject = parseSubject(`tiktok:@${name}`);
  const since = world.suppressed.get(name);
  const isForgotten = random.chance(0.5);
  if (isForgotten) world.beingForgotten.add(name);
  askAbout(world, server, `${isForgotten ? 'forget' : 'suppress'} ${name}`, async () => {
    await server.store.suppressions.add(subject);
    world.suppressed.set(name, since ?? machine.timeline.now);
    if (!isForgotten) return;
    const lines = world.lineKeys();
    await server.store.forget(subject, new Traces([subject]));
    // After a failed sync, a running job writes its data again from memory.
    const rewritten = disk.failedSyncs === 0 ? [] : world.unfinishedJobs();
    world.forgotten.push({ name, lines, rewritten });
  });
}

function allowPerson(world: World, random: Random, server: Server): void {
  if (world.suppressed.size === 0) return;
  const name = random.pick([...world.suppressed.keys()]);
  world.suppressed.delete(name);
  askAbout(world, server, `allow ${name}`, () =>
    server.store.suppressions.remove(parseSubject(`tiktok:@${name}`)),
  );
}

/** Reads a job's results as its client does, and checks that they include no suppressed subject. */
function readResults(world: World, random: Random, server: Server): void {
  const job = jobOf(world, random);
  if (job === undefined) return;
  const hidden = hiddenNow(world);
  askAbout(world, server, `read ${job.id}`, async () => {
    const opened = await server.jobs.results.open(job.account, job.id);
    const chunks: Buffer[] = [];
    for await (const chunk of opened.read(0, opened.bytes)) chunks.push(Buffer.from(chunk));
    tellsOfNone(world, job.id, Buffer.concat(chunks).toString(), hidden);
  });
}

/** The operations with their weights. */
export const operations: Readonly<Record<string, readonly [weight: number, Operation]>> = {
  call: [30, askCall],
  job: [16, (world, random, server) => askJob(world, random, server)],
  schedule: [3, (world, random, server) => askJob(world, random, server, random.pick(['15m', '1h']))],
  account: [3, newCustomer],
  cancel: [4, cancelJob],
  redeliver: [3, redeliver],
  grant: [6, grantByHand],
  'change-schedule': [4, changeSchedule],
  'delete-account': [1, deleteAccount],
  forget: [2, forgetPerson],
  allow: [1, allowPerson],
  results: [4, readResults],
};
