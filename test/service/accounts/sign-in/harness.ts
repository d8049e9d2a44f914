import type { SignInStore } from '../../../../src/service/accounts/sign-in/sign-in-store.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { MemoryMailer } from '../../../support/memory-mailer.js';
import type { OpenHostingStore, SharedState, StoreKind } from '../../../support/stores.js';

export interface SignInHarness extends OpenHostingStore {
  readonly state: SharedState;
  readonly clock: FakeClock;
  readonly mailer: MemoryMailer;
  readonly signIn: SignInStore;
  /** Asks for a link and opens it in the same browser. */
  enter(email: string, address?: string): Promise<NonNullable<Awaited<ReturnType<SignInStore['confirm']>>>>;
  /** The number of rows of a table. */
  count(table: string): Promise<number>;
}

/** Sign-in over new state, or over state that another harness has open. */
export async function signInHarness(
  kind: StoreKind,
  options: {
    state?: SharedState;
    clock?: FakeClock;
    trial?: number;
    emailAllow?: readonly string[];
  } = {},
): Promise<SignInHarness> {
  const state = options.state ?? (await kind.make());
  const clock = options.clock ?? new FakeClock(Date.UTC(2026, 5, 1, 12));
  const opened = await state.open(clock, options.trial ?? 500);
  const mailer = new MemoryMailer();
  const signIn = opened.createSignIn({
    ...{ mailer, clock, publicUrl: 'https://x.test' },
    emailAllow: options.emailAllow ?? [],
  });
  return {
    ...opened,
    ...{ state, clock, mailer, signIn },
    async enter(email, address = '203.0.113.7') {
      await signIn.request({ email, address, next: '/' });
      const signed = await signIn.confirm(mailer.token(), 'Test/1');
      if (signed === null) throw new Error('the link does not work');
      return signed;
    },
    async count(table) {
      const [row] = await state.rows<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
      return row?.count ?? 0;
    },
  };
}
