import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { ErrorRoute } from '../../lib/errors/outcomes.js';
import { networkDefaults } from '../../lib/web/network.js';
import { paceInFile } from '../../lib/web/sqlite/pace-file.js';
import { Throttle } from '../../lib/web/throttle.js';
import { stoppedClock } from '../support/cases.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { uncounted } from '../support/uncounted.js';

/** A platform under the pace and the cool-down of a new installation. */
function platform() {
  const { cooldownMs } = networkDefaults;
  const page = { ms: 3000, concurrency: 1 };
  const throttle = new Throttle(
    { platform: 'photosocial', surfaces: { page } },
    {
      gap: () => page,
      cooldownMs,
      clock: stoppedClock,
      counter: uncounted,
    },
  );
  /** Returns the error code of a session that ends with an error page, or that may not start. */
  const errorPageOf = (subject: string, account?: string): string => {
    try {
      return (throttle.open('plain', { account }).end(new ErrorRoute(subject)) as ExtractError).code;
    } catch (error) {
      return `cooling down: ${(error as ExtractError).code}`;
    }
  };
  return { errorPageOf, end: (error?: unknown) => throttle.open('plain').end(error) };
}

/** Creates processes one after the other, each with its own throttle over one data directory. */
function processes(home = temporaryFolder()) {
  return async (ended: unknown): Promise<string> => {
    const paceStore = paceInFile(home, stoppedClock);
    const { cooldownMs } = networkDefaults;
    const page = { ms: 0, concurrency: 1 };
    const options = { gap: () => page, cooldownMs, clock: stoppedClock, paceStore, counter: uncounted };
    const throttle = new Throttle({ platform: 'photosocial', surfaces: { page } }, options);
    try {
      const session = throttle.open('plain');
      await session.run(async () => undefined, new AbortController().signal);
      const result = session.end(ended);
      return result instanceof ExtractError ? result.code : 'answer';
    } catch (error) {
      return `cooling down: ${(error as ExtractError).message}`;
    } finally {
      await throttle.flush();
      await paceStore.close();
    }
  };
}

describe('the error page for subjects of several processes', () => {
  test('is a refusal at the fifth in a row, over all processes', async () => {
    const run = processes();
    for (const subject of ['a', 'b', 'b', 'c', 'd'])
      assert.equal(await run(new ErrorRoute(subject)), 'platform_restricted');
    assert.equal(await run(new ErrorRoute('e')), 'platform_blocked');
    assert.match(
      await run(new ErrorRoute('f')),
      /^cooling down: The platform shows its error page for 5 subjects in a row\. photosocial\/page refused at .*; nothing was asked now\.$/,
    );
  });

  test('is counted from zero after another process’s answer', async () => {
    const run = processes();
    for (const subject of ['a', 'b', 'c', 'd']) await run(new ErrorRoute(subject));
    assert.equal(await run(undefined), 'answer');
    assert.equal(await run(new ErrorRoute('e')), 'platform_restricted');
  });

  test('is kept without the names of the subjects', async () => {
    const home = temporaryFolder();
    await processes(home)(new ErrorRoute('The account quiet.tern does not exist.'));
    assert.doesNotMatch(readFileSync(path.join(home, 'pace.db'), 'latin1'), /quiet\.tern/);
  });
});

describe('the error page instead of subjects', () => {
  test('is final for each of four, and no cool-down begins', () => {
    const { errorPageOf } = platform();
    for (const subject of ['a', 'b', 'c', 'd']) assert.equal(errorPageOf(subject), 'platform_restricted');
    assert.equal(errorPageOf('a'), 'platform_restricted');
  });

  test('is a refusal of every visitor at the fifth in a row', () => {
    const { errorPageOf } = platform();
    for (const subject of ['a', 'b', 'c', 'd']) errorPageOf(subject);
    assert.equal(errorPageOf('e'), 'platform_blocked');
    assert.equal(errorPageOf('f'), 'cooling down: platform_blocked');
  });

  test('met by one account alone is a refusal of that account', () => {
    const { errorPageOf } = platform();
    for (const subject of ['a', 'b', 'c', 'd']) errorPageOf(subject, 'one');
    assert.equal(errorPageOf('e', 'one'), 'platform_blocked');
    assert.equal(errorPageOf('f', 'one'), 'cooling down: platform_blocked');
    assert.equal(errorPageOf('g', 'other'), 'platform_blocked');
    assert.equal(errorPageOf('h', 'third'), 'cooling down: platform_blocked');
  });

  test('of one repeated subject is not a refusal', () => {
    const { errorPageOf } = platform();
    for (let times = 0; times < 9; times += 1) assert.equal(errorPageOf('a'), 'platform_restricted');
  });

  test('is counted from zero after an answer, including “not found”', () => {
    for (const answer of [undefined, new ExtractError('profile_not_found')]) {
      const { errorPageOf, end } = platform();
      for (const subject of ['a', 'b', 'c', 'd']) errorPageOf(subject);
      end(answer);
      assert.equal(errorPageOf('e'), 'platform_restricted');
    }
  });

  test('is counted on through other failures, which say nothing of it', () => {
    const { errorPageOf, end } = platform();
    for (const subject of ['a', 'b', 'c', 'd']) errorPageOf(subject);
    end(new ExtractError('platform_timeout'));
    assert.equal(errorPageOf('e'), 'platform_blocked');
  });
});
