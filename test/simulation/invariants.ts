import { queriesOn } from '../../lib/database/sqlite/sqlite-queries.js';
import { wrongSumsIn } from '../../lib/ledger/imbalance.js';
import { imbalances } from '../../lib/ledger/sqlite/integrity.js';
import { dayMs, hourMs } from '../../lib/runtime/clock.js';
import { machine } from './machine.js';
import { price } from './platform.js';
import { resultDays } from './server.js';
import type { World } from './world.js';

/** A promise that was broken. */
export class BrokenInvariant extends Error {
  override readonly name = 'Broken';
}

const hold = (isHeld: boolean, text: () => string) => {
  if (!isHeld) throw new BrokenInvariant(text());
};

interface CallRow {
  readonly id: string;
  readonly status: string;
  readonly credits_charged: number;
}

interface JobRow {
  readonly id: string;
  readonly account: string;
  readonly status: string;
  readonly total: number;
  readonly lines: number;
  readonly completed: number;
  readonly failed: number;
  readonly deleted: number;
  readonly finished_at: number | null;
  readonly webhook_state: string | null;
  readonly webhook_due: number | null;
  readonly webhook_id: string | null;
}

/** The sum of an account's rows is its balance, and so are the sums of days and months. */
async function booksAddUp({ ledger }: World): Promise<void> {
  const wrong = imbalances(ledger);
  hold(wrong.length === 0, () => `the books do not add up: ${JSON.stringify(wrong)}`);
  const sums = await wrongSumsIn(queriesOn(ledger));
  hold(sums.length === 0, () => `sums of days are not those of their calls: ${JSON.stringify(sums)}`);
  const rows = ledger
    .prepare(
      `SELECT id, status, credits_charged, credits_refunded FROM usage WHERE (status = 'failed' AND credits_charged <> 0)
        OR (status = 'pending') <> (owner IS NOT NULL)
        OR (status = 'ok' AND id NOT LIKE 'forfeit%' AND (credits_charged + credits_refunded <> ${price}
          OR credits_charged > ${price})) LIMIT 1`,
    )
    .all();
  hold(rows.length === 0, () => `a call is charged wrongly: ${JSON.stringify(rows)}`);
}

const findCall = ({ ledger }: World, id: string) =>
  ledger.prepare<[string], CallRow>('SELECT id, status, credits_charged FROM usage WHERE id = ?').get(id);

/** A delivered answer is in the ledger, at its price. */
function answersAreCharged(world: World): void {
  for (const { id, outcome } of world.calls) {
    if (outcome !== 'answered') continue;
    const row = findCall(world, id);
    const isCharged = row?.status === 'ok' && row.credits_charged === price;
    hold(isCharged, () => `an answer is not in the ledger: ${id}, ${JSON.stringify(row)}`);
  }
}

/** A failed call is refunded, at the latest by the process that reports it. */
function failuresAreFree(world: World): void {
  for (const { id, outcome, process } of world.calls) {
    if (outcome !== 'failed' || process.isDead) continue;
    const row = findCall(world, id);
    hold(row?.status !== 'ok', () => `a call that failed is charged: ${JSON.stringify(row)}`);
  }
}

/** Each grant is recorded once. */
function grantsAreOnce({ ledger, customers }: World): void {
  const sum = ledger
    .prepare<[string], number>('SELECT coalesce(sum(credits), 0) FROM grants WHERE account = ?')
    .pluck();
  for (const { id, granted, maybeGranted } of customers) {
    const credits = sum.get(id) ?? 0;
    hold(
      credits >= granted && credits <= granted + maybeGranted,
      () => `${id} was granted ${credits} credits; asked for were ${granted} and perhaps ${maybeGranted}`,
    );
  }
}

/** A purchase is paid together with its grant. */
function paymentsGrant({ ledger }: World): void {
  const sql = `SELECT id, status FROM purchases WHERE (status = 'paid') <> EXISTS (SELECT 1 FROM grants WHERE grants.id = purchases.id)`;
  const wrong = ledger.prepare(sql).all();
  hold(wrong.length === 0, () => `paid and granted are not the same: ${JSON.stringify(wrong)}`);
}

/** The history of a schedule has each of its jobs that was answered, and no other. */
function historyIsOfAnswers({ ledger, suppressed }: World): void {
  if (suppressed.size > 0) return;
  const wrong = ledger
    .prepare(
      `SELECT jobs.id FROM jobs JOIN schedules ON schedules.id = schedule WHERE schedules.status <> 'ended'
         AND EXISTS (SELECT 1 FROM usage WHERE job_id = jobs.id AND usage.status = 'ok')
           <> EXISTS (SELECT 1 FROM history_runs JOIN history_scopes USING (scope) WHERE name = schedule AND run = jobs.id)`,
    )
    .all();
  hold(wrong.length === 0, () => `a history is not that of its answers: ${JSON.stringify(wrong)}`);
}

/** Returns true for a job whose results may be deleted now. Its lines are deleted before its row says so. */
const isExpired = ({ finished_at }: JobRow, now = Date.now()) =>
  finished_at !== null && finished_at + resultDays * dayMs <= now;

/** Lines match the inputs, one each, in their order, and every billable line is charged at its stated price. */
function linesAreInOrder({ ledger, results, jobs, beingForgotten }: World): void {
  const find = ledger.prepare<[string], JobRow>('SELECT * FROM jobs WHERE id = ?');
  const linesOf = results.prepare<[string], { readonly place: number; readonly line: string }>(
    'SELECT place, line FROM job_results WHERE job = ? ORDER BY place',
  );
  const rowsOf = ledger.prepare<[string], CallRow>(
    'SELECT id, status, credits_charged FROM usage WHERE job_id = ?',
  );
  for (const { id, inputs, account } of jobs) {
    const row = id === null ? undefined : find.get(id);
    if (id === null || row === undefined || row.deleted === 1 || isExpired(row)) continue;
    hold(
      row.total === inputs.length && row.account === account,
      () => `${id} is another job: ${JSON.stringify(row)}`,
    );
    const lines = linesOf.all(id).slice(0, row.lines);
    hold(lines.length === row.lines, () => `${id} has ${lines.length} lines where it says ${row.lines}`);
    const rows = new Map(rowsOf.all(id).map((one) => [one.id, one]));
    for (const [index, { place, line }] of lines.entries()) {
      const { input, data, error } = JSON.parse(line) as { input: unknown; data?: unknown; error?: unknown };
      const expected = inputs[index] ?? '';
      hold(place === index, () => `${id}: line ${index} is ${place}: ${line}`);
      // How much of the line remains while its subject is being forgotten depends on its length.
      if (beingForgotten.has(JSON.parse(expected).username)) continue;
      hold(JSON.stringify(input) === expected, () => `${id}: line ${index} is ${line} for ${expected}`);
      const charged = rows.get(`${id}:${index}`);
      hold(
        (data === undefined) !== (error === undefined),
        () => `${id}: line ${index} is neither answer nor error: ${line}`,
      );
      hold(
        charged === undefined || charged.status === (error === undefined ? 'ok' : 'failed'),
        () => `${id}: line ${index} does not say what was charged: ${line}, ${JSON.stringify(charged)}`,
      );
    }
    const ended = [...rows.values()].filter(({ status }) => status !== 'pending').length;
    hold(
      rows.size === 0 || ended === row.completed + row.failed,
      () => `${id} counts ${row.completed} + ${row.failed} ended inputs, and ${ended} are`,
    );
  }
}

/** An accepted job exists, and each idempotency key created one job. */
function jobsAreKept({ ledger, jobs, customers, leaptDays }: World): void {
  const find = ledger.prepare<[string], JobRow>('SELECT * FROM jobs WHERE id = ?');
  const byKey = new Map<string, string>();
  const deleted = new Set(customers.filter(({ isDeleted }) => isDeleted).map(({ id }) => id));
  for (const { id, key, account, outcome } of jobs) {
    if (outcome !== 'accepted' || id === null || deleted.has(account)) continue;
    hold(find.get(id) !== undefined, () => `an accepted job is gone: ${id}`);
    // A key is remembered for a day.
    if (key === undefined || leaptDays) continue;
    const name = `${account} ${key}`;
    hold((byKey.get(name) ?? id) === id, () => `one key made two jobs: ${key}, ${byKey.get(name)}, ${id}`);
    byKey.set(name, id);
  }
}

/** A webhook has one id. After a receiver has accepted it, it is delivered, and is not repeated unless a user asks. */
function webhooksAreTold({ ledger, outside, jobs, redelivered }: World): void {
  const find = ledger.prepare<[string], JobRow>('SELECT * FROM jobs WHERE id = ?');
  const attemptsOf = ledger
    .prepare<[string], number>('SELECT count(*) FROM webhook_attempts WHERE job = ? AND status = 204')
    .pluck();
  for (const { id, hook } of jobs) {
    const row = id === null || !hook ? undefined : find.get(id);
    if (id === null || row === undefined || row.deleted === 1) continue;
    const receipts = outside.receipts.filter(({ job }) => job === id);
    hold(new Set(receipts.map((one) => one.id)).size <= 1, () => `${id} was delivered under several ids`);
    const isDelivered = row.webhook_state === 'delivered';
    const isTaken = receipts.some(({ status, id: one }) => status === 204 && one === row.webhook_id);
    hold(!isDelivered || isTaken, () => `${id} counts as delivered, and no receiver took it`);
    const attempts = attemptsOf.get(id) ?? 0;
    hold(
      isDelivered || attempts === 0 || redelivered.has(id),
      () => `${id} was taken by its receiver, and is ${row.webhook_state}`,
    );
  }
}

/** An accepted redelivery is a separate attempt, even during another one. */
function redeliveriesAreMade({ ledger, outside, owedSince }: World): void {
  const find = ledger.prepare<[string], JobRow>('SELECT * FROM jobs WHERE id = ?');
  for (const [id, since] of owedSince) {
    const row = find.get(id);
    if (row === undefined || row.deleted === 1) continue;
    const sent = outside.lastSent.get(id) ?? Number.NEGATIVE_INFINITY;
    hold(sent >= since, () => `${id} was requested again, and is not delivered again`);
  }
}

/** Each time of a schedule creates one job. */
function slotsRunOnce({ ledger, wentBack, ranNow }: World): void {
  if (wentBack) return;
  const twice = ledger
    .prepare<[], { readonly schedule: string }>(
      'SELECT schedule, planned_at, count(*) AS runs FROM schedule_runs WHERE job IS NOT NULL GROUP BY schedule, planned_at HAVING count(*) > 1',
    )
    .all()
    .filter(({ schedule }) => !ranNow.has(schedule));
  hold(twice.length === 0, () => `a time of a schedule was run twice: ${JSON.stringify(twice)}`);
}

/** No server deletes results because its date leapt less than an hour ago. */
function leapsDeleteNothing(world: World): void {
  const { ledger, customers, deletedJobs, leaps, startedAt } = world;
  const doubted = leaps.filter(({ at }) => startedAt < at && machine.timeline.now - at < hourMs);
  const leaptMs = doubted.reduce((sum, { ms }) => sum + ms, 0);
  const deletedAccounts = new Set(customers.filter(({ isDeleted }) => isDeleted).map(({ id }) => id));
  const rows = ledger.prepare<[], JobRow>('SELECT * FROM jobs WHERE deleted = 1').all();
  for (const row of rows) {
    const { id, account } = row;
    if (deletedJobs.has(id)) continue;
    deletedJobs.add(id);
    hold(
      deletedAccounts.has(account) || isExpired(row, Date.now() - leaptMs),
      () => `the results of ${id} were deleted as the date leapt`,
    );
  }
}

/** Asserts that no suppressed subject is reported, and that nothing remains of a forgotten one. */
function nobodySuppressedIsTold(world: World): void {
  hold(world.broken === null, () => world.broken ?? '');
  const find = world.results.prepare<[string], { readonly job: string; readonly place: number }>(
    'SELECT job, place FROM job_results WHERE instr(line, ?) > 0',
  );
  for (const { name, lines, rewritten } of world.forgotten) {
    const found = find
      .all(`"data":{"username":"${name}"`)
      .find(({ job, place }) => lines.has(`${job} ${place}`) && !rewritten.includes(job));
    hold(found === undefined, () => `${found?.job} still has ${name}, who was forgotten`);
  }
}

/** The invariants after every step, whatever is in progress. */
export async function checkAlways(world: World): Promise<void> {
  for (const check of [
    booksAddUp,
    answersAreCharged,
    grantsAreOnce,
    paymentsGrant,
    historyIsOfAnswers,
    jobsAreKept,
    linesAreInOrder,
    webhooksAreTold,
    slotsRunOnce,
    leapsDeleteNothing,
    nobodySuppressedIsTold,
  ])
    await check(world);
}

/** The invariants once everything has settled: nothing is open. */
export async function checkEnd(world: World): Promise<void> {
  await checkAlways(world);
  failuresAreFree(world);
  redeliveriesAreMade(world);
  const { ledger, asking } = world;
  const count = (sql: string) => ledger.prepare<[], number>(sql).pluck().get() ?? 0;
  hold(asking.size === 0, () => `${[...asking].map(({ what }) => what)} has no answer`);
  const open = {
    calls: `SELECT count(*) FROM usage WHERE status = 'pending'`,
    jobs: 'SELECT count(*) FROM jobs WHERE lines < total',
    webhooks: 'SELECT count(*) FROM jobs WHERE webhook_due IS NOT NULL',
  };
  for (const [what, sql] of Object.entries(open)) {
    const openCount = count(sql);
    hold(openCount === 0, () => `${openCount} ${what} are open for ever`);
  }
  const silent = ledger
    .prepare(
      `SELECT id FROM jobs WHERE webhook_url IS NOT NULL AND lines = total AND webhook_state NOT IN ('delivered', 'failed')`,
    )
    .all();
  hold(silent.length === 0, () => `webhooks were never told: ${JSON.stringify(silent)}`);
}
