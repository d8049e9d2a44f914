import path from 'node:path';
import { after } from 'node:test';
import type { SignIn } from '../../../src/accounts/sign-in/sign-in.js';
import { type OpenStore, openStore } from '../../../src/open-store.js';
import { FakeClock } from '../../support/fake-clock.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = temporaryFolder();
let homes = 0;

export interface SignInHarness extends OpenStore {
  readonly home: string;
  readonly file: string;
  readonly clock: FakeClock;
  readonly mailer: MemoryMailer;
  readonly signIn: SignIn;
  /** Asks for a link and opens it in the same browser. */
  enter(email: string, address?: string): Promise<NonNullable<Awaited<ReturnType<SignIn['confirm']>>>>;
}

/** Sign-in over a data directory of its own, or over one that another bed has open. */
export async function signInHarness(
  given: { home?: string; clock?: FakeClock; trial?: number; emailAllow?: readonly string[] } = {},
): Promise<SignInHarness> {
  const home = given.home ?? path.join(root, String(++homes));
  const clock = given.clock ?? new FakeClock(Date.UTC(2026, 5, 1, 12));
  const opened = await openStore(home, clock, given.trial ?? 500);
  after(() => opened.ledger.close());
  const mailer = new MemoryMailer();
  const signIn = opened.createSignIn({
    ...{ mailer, clock, publicUrl: 'https://x.test' },
    emailAllow: given.emailAllow ?? [],
  });
  return {
    ...opened,
    ...{ home, clock, mailer, signIn, file: path.join(home, 'ledger.db') },
    async enter(email, address = '203.0.113.7') {
      await signIn.request({ email, address, next: '/' });
      const signed = await signIn.confirm(mailer.token(), 'Test/1');
      if (signed === null) throw new Error('the link does not work');
      return signed;
    },
  };
}
