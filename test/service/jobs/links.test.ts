import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type LinkSubject, maxLinks } from '../../../src/service/jobs/links/shared-link.js';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { nextRun } from './changing-site.js';
import { jobKinds } from './database-harness.js';
import { awaitJob, jobsHarness, makeJob, passSweep, until } from './harness.js';

const job = (id: string) => ({ type: 'job', id }) as const;
const schedule = (id: string) => ({ type: 'schedule', id }) as const;
const missingLink = refusal('link_not_found');

for (const { where, skip, open } of jobKinds) {
  describe(`shared links of ${where}`, { skip }, () => {
    async function scheduled(t: TestContext, more: object = { history: true }) {
      const under = await open(t);
      const customer = await under.customer();
      const order = { schedule: { every: '6h' }, lineOptions: more } as const;
      const first = await makeJob(under, customer, ['a'], order);
      const { schedule: id = '' } = await under.jobs.store.find(customer.account, first);
      return { ...under, under, customer, first, id, links: under.jobs.links };
    }

    test('a token finds its link, which lists show without it and revoking ends', async (t) => {
      const { links, customer, id, clock } = await scheduled(t);
      const { account } = customer;
      const { token, ...feed } = await links.create(account, schedule(id), 'feed');
      assert.match(token, /^[\w-]{43}$/);
      assert.deepEqual(feed, {
        ...{ id: feed.id, kind: 'feed', prefix: token.slice(0, 6), last_read_at: null },
        created_at: new Date(clock.now()).toISOString(),
      });
      await clock.advance(1);
      const { token: other, ...table } = await links.create(account, schedule(id), 'table');
      assert.deepEqual(await links.list(account, schedule(id)), [table, feed]);
      const { id: link, kind } = feed;
      assert.deepEqual(await links.find(token), { id: link, kind, account, subject: schedule(id) });
      for (const wrong of ['', 'x', token.toLowerCase(), `${token}a`, token.slice(1)]) {
        await assert.rejects(links.find(wrong), missingLink, wrong);
      }
      await links.revoke(account, schedule(id), feed.id);
      await assert.rejects(links.find(token), missingLink);
      await assert.rejects(links.revoke(account, schedule(id), feed.id), missingLink);
      assert.equal((await links.find(other)).kind, 'table');
    });

    test('a link remembers the minute of its last read', async (t) => {
      const { links, customer, first, clock, pauseMs } = await scheduled(t);
      const { id } = await links.create(customer.account, job(first), 'table');
      const lastRead = async () => (await links.list(customer.account, job(first)))[0]?.last_read_at ?? null;
      const minute = clock.now() - (clock.now() % 60_000);
      links.noteRead(id);
      await until(async () => (await lastRead()) === new Date(minute).toISOString(), pauseMs);
      await clock.advance(60_000);
      links.noteRead(id);
      await until(async () => (await lastRead()) === new Date(minute + 60_000).toISOString(), pauseMs);
    });

    test('an account cannot create, list or revoke links of another one', async (t) => {
      const { links, customer, id, first, under } = await scheduled(t);
      const { account } = await under.customer();
      const { id: own } = await links.create(customer.account, job(first), 'table');
      await assert.rejects(links.create(account, job(first), 'table'), refusal('job_not_found'));
      await assert.rejects(links.create(account, schedule(id), 'feed'), refusal('schedule_not_found'));
      await assert.rejects(
        links.create(account, schedule('sched_none'), 'feed'),
        refusal('schedule_not_found'),
      );
      assert.deepEqual(await links.list(account, job(first)), []);
      await assert.rejects(links.revoke(account, job(first), own), missingLink);
      assert.equal((await links.list(customer.account, job(first))).length, 1);
    });

    test('a feed needs a schedule with a history, a table needs results', async (t) => {
      const { links, customer, id, first } = await scheduled(t, {});
      const { account } = customer;
      await assert.rejects(links.create(account, job(first), 'feed'), refusal('invalid_parameter'));
      await assert.rejects(links.create(account, schedule(id), 'feed'), refusal('invalid_parameter'));
      await links.create(account, schedule(id), 'table');
    });

    test('an account has a limited number of links', async (t) => {
      const { links, customer, first, id } = await scheduled(t);
      const create = (subject: LinkSubject) => links.create(customer.account, subject, 'table');
      for (let count = 1; count < maxLinks; count += 1) await create(job(first));
      // Two concurrent requests for the last free link.
      for (let round = 0; round < 10; round += 1) {
        await Promise.allSettled([create(job(first)), create(schedule(id))]);
        const [one, ...more] = await links.list(customer.account, job(first));
        const others = await links.list(customer.account, schedule(id));
        assert.equal(1 + more.length + others.length, maxLinks);
        await assert.rejects(create(job(first)), refusal('invalid_parameter'));
        await links.revoke(customer.account, job(first), one?.id ?? '');
      }
    });

    test('the table of a schedule shows its newest finished run', async (t) => {
      const all = await scheduled(t, {});
      const { jobs, links, customer, first, id, under, clock } = all;
      const link = { id: '', kind: 'table', account: customer.account, subject: schedule(id) } as const;
      await awaitJob(under, customer, first);
      assert.equal(await links.findTableJob(link), first);
      const second = await nextRun(under, customer, id);
      await awaitJob(under, customer, second);
      assert.equal(await links.findTableJob(link), second);
      // A run that failed to start and one that was cancelled both wrote no table.
      const { next_run_at: next } = await jobs.schedules.find(customer.account, id);
      const due = Date.parse(next ?? '');
      const run = { id, expected: due, at: due, nextAt: due + 6 * 3_600_000 };
      await jobs.schedules.refuse(run, 'insufficient_credits');
      assert.equal(await links.findTableJob(link), second);
      await clock.advance(1);
      assert.equal(await links.findTableJob({ ...link, subject: job(first) }), first);
    });

    test('links end with their schedule and with their account', async (t) => {
      const { jobs, links, customer, first, id, under, opened } = await scheduled(t);
      const { account } = customer;
      await awaitJob(under, customer, first);
      const feed = await links.create(account, schedule(id), 'feed');
      const table = await links.create(account, job(first), 'table');
      await jobs.schedules.end(account, id);
      await assert.rejects(links.find(feed.token), missingLink);
      assert.deepEqual(await links.list(account, schedule(id)), []);
      await assert.rejects(links.create(account, schedule(id), 'table'), refusal('schedule_ended'));
      assert.equal((await links.find(table.token)).subject.id, first);
      await opened.accounts.delete(account);
      await assert.rejects(links.find(table.token), missingLink);
    });
  });
}

test('links are made to no results that were deleted', async (t) => {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const all = await jobsHarness(t, { clock });
  const customer = await all.customer();
  const id = await makeJob(all, customer, ['a']);
  await awaitJob(all, customer, id);
  clock.set(clock.now() + 31 * 86_400_000);
  await passSweep(clock);
  const creating = all.jobs.links.create(customer.account, { type: 'job', id }, 'table');
  await assert.rejects(creating, refusal('results_expired'));
});
