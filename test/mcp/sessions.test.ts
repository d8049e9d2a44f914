import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { type McpSession, McpSessions } from '../../src/mcp/sessions.js';
import type { ToolServer } from '../../src/mcp/tool-server.js';
import { FakeClock } from '../support/fake-clock.js';

/** A session that only tells whether it was closed, and is at work when it is told to be. */
function sessionOf(id: string, caller = 'somebody'): McpSession & { closed: boolean; busy: number } {
  const state = { closed: false, busy: 0 };
  const protocol = {
    close: async () => {
      state.closed = true;
    },
  } as ToolServer['protocol'];
  const server: ToolServer = {
    protocol,
    idle: async () => undefined,
    get busy() {
      return state.busy;
    },
  };
  const transport = new WebStandardStreamableHTTPServerTransport();
  return Object.assign(state, { id, credential: caller, caller, transport, server });
}

const limits = { max: 4, maxPerCaller: 2, idleMs: 1000 };

describe('the sessions of a server', () => {
  test('are found by their id and credential', () => {
    const sessions = new McpSessions(new FakeClock(), limits);
    const one = sessionOf('1', 'a');
    sessions.add(one);
    assert.equal(sessions.find('1', 'a'), one);
    assert.equal(sessions.find('1', 'b'), undefined);
    assert.equal(sessions.find('2', 'a'), undefined);
  });

  test('are gone when they were quiet for too long; each use makes them young again', async () => {
    const clock = new FakeClock();
    const sessions = new McpSessions(clock, limits);
    const [one, two] = [sessionOf('1', 'a'), sessionOf('2', 'b')];
    sessions.add(one);
    sessions.add(two);
    await clock.advance(900);
    assert.ok(sessions.find('1', 'a'));
    await clock.advance(900);
    assert.ok(sessions.find('1', 'a'));
    assert.equal(sessions.find('2', 'b'), undefined);
    sessions.add(sessionOf('3', 'c'));
    assert.equal(two.closed, true);
    assert.equal(one.closed, false);
    assert.equal(sessions.size, 2);
  });

  test('a caller’s quietest makes room for another of the same caller', () => {
    const sessions = new McpSessions(new FakeClock(), limits);
    const [one, two, other] = [sessionOf('1', 'a'), sessionOf('2', 'a'), sessionOf('3', 'b')];
    for (const session of [other, one, two]) sessions.add(session);
    sessions.find('1', 'a');
    sessions.add(sessionOf('4', 'a'));
    assert.deepEqual([one.closed, two.closed, other.closed], [false, true, false]);
    assert.equal(sessions.size, 3);
  });

  test('the quietest of all makes room when there are too many', () => {
    const sessions = new McpSessions(new FakeClock(), limits);
    const all = ['a', 'b', 'c', 'd'].map((caller) => sessionOf(caller, caller));
    for (const session of all) sessions.add(session);
    sessions.add(sessionOf('e', 'e'));
    assert.deepEqual(
      all.map(({ closed }) => closed),
      [true, false, false, false],
    );
    assert.equal(sessions.size, 4);
  });

  test('one at work is not ended, however old; where all are, nobody else comes in', async () => {
    const clock = new FakeClock();
    const sessions = new McpSessions(clock, limits);
    const [one, two] = [sessionOf('1', 'a'), sessionOf('2', 'a')];
    sessions.add(one);
    sessions.add(two);
    one.busy = 1;
    await clock.advance(5000);
    assert.equal(sessions.find('1', 'a'), one);
    sessions.add(sessionOf('3', 'a'));
    assert.deepEqual([one.closed, two.closed], [false, true]);
    const three = sessions.find('3', 'a') as ReturnType<typeof sessionOf>;
    three.busy = 1;
    assert.throws(
      () => sessions.add(sessionOf('4', 'a')),
      (error) => error instanceof ExtractError && error.code === 'rate_limited' && error.retryAfter === 60,
    );
    assert.equal(sessions.size, 2);
  });

  test('end one by one, and all at the close', async () => {
    const sessions = new McpSessions(new FakeClock(), limits);
    const all = ['a', 'b', 'c'].map((caller) => sessionOf(caller, caller));
    for (const session of all) sessions.add(session);
    sessions.end('b');
    sessions.end('b');
    assert.deepEqual(
      all.map(({ closed }) => closed),
      [false, true, false],
    );
    await sessions.close();
    assert.ok(all.every(({ closed }) => closed));
    assert.equal(sessions.size, 0);
  });
});
