import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Postgres } from '../../lib/database/postgres/postgres.js';
import { noteCommit, UnheardCommits } from '../../lib/ledger/postgres/unheard-commits.js';
import { FakeClock } from '../support/fake-clock.js';
import { skipWithoutPostgres } from '../support/postgres.js';
import { chargeOf, refusal } from './ledger-port.js';
import { assertSound } from './postgres-harness.js';
import { unheardSetting } from './unheard-setting.js';

describe('a commit that its node does not hear of', { skip: skipWithoutPostgres }, () => {
  const ends: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  test('is refunded, however late it arrives', async () => {
    const { postgres, one, until, untilMade } = await unheardSetting(ends);
    const goOn = await one.freeze();
    await assert.rejects(one.ledger.pay(chargeOf('late')), refusal('internal_error'));
    // Minutes pass, in which it is looked for in vain.
    for (let seconds = 0; seconds < 180; seconds += 5) {
      await one.clock.advance(5_000);
      await pause(5);
    }
    goOn();
    await untilMade('late');
    await one.clock.advance(5_000);
    await until('late', 'failed');
    assert.equal((await one.ledger.balance('local')).credits, 997);
    await assertSound(postgres);
  });

  test('keeps its price if a search for late commits begins while it is made', async () => {
    const { postgres } = await unheardSetting(ends);
    const clock = new FakeClock();
    let starting = Promise.resolve(0);
    const transaction: Postgres['transaction'] = async (work) => {
      const number = commits.begin();
      const note = { node: 'n', number, calls: ['early'] };
      starting = postgres.write((queries) => noteCommit(queries, note)).then(() => number);
      await starting;
      return postgres.transaction(work);
    };
    const commits = new UnheardCommits({ transaction } as unknown as Postgres, clock, 'n');
    commits.forget(commits.begin());
    await clock.advance(5_000);
    const number = await starting;
    await commits.close();
    assert.ok(await postgres.write((queries) => commits.hear(queries, number)));
  });
});
