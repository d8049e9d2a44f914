import { randomBytes } from 'node:crypto';
import { ExtractError } from '../../../lib/errors.js';
import type { Desk } from '../../../src/accounts/desk.js';
import type { Pack, Purchase } from '../../../src/accounts/packs/payments.js';
import type { LinkRequest, Session } from '../../../src/accounts/sign-in/sign-in.js';
import type { SqliteAccounts } from '../../../src/accounts/sqlite-accounts.js';

interface Link extends LinkRequest {
  readonly browser: string;
}

/** A desk that keeps all but accounts and keys in memory, and the mails it would have sent. */
export interface MemoryDesk extends Desk {
  /** Tokens of the links, newest last. */
  readonly tokens: string[];
}

const secret = () => randomBytes(12).toString('hex');
const packs: readonly Pack[] = [50_000, 250_000, 1_000_000, 5_000_000].map((credits) => ({
  credits,
  amount: credits / 10,
  currency: 'EUR',
}));

export function memoryDesk(accounts: SqliteAccounts, now: () => number): MemoryDesk {
  const tokens: string[] = [];
  const links = new Map<string, Link>();
  const sessions = new Map<string, Session>();
  const purchases: Purchase[] = [];
  const thresholds = new Map<string, number>();
  let adminToken = '';
  const adminSessions = new Set<string>();
  const iso = () => new Date(now()).toISOString();
  const all = () => [...sessions.values()];
  return {
    tokens,
    accounts,
    signIn: {
      async request(request) {
        if (!/^\S+@\S+\.\S+$/.test(request.email)) {
          throw new ExtractError('invalid_parameter', 'This is not an e-mail address.');
        }
        if (request.email.endsWith('@mailinator.com')) throw new ExtractError('disposable_email');
        const token = secret();
        const browser = secret();
        links.set(token, { ...request, browser });
        tokens.push(token);
        return { browser };
      },
      async confirm(token, browser, userAgent) {
        const link = links.get(token);
        if (link === undefined || link.browser !== browser) return null;
        links.delete(token);
        const known = await accounts.find(link.email);
        const account = known ?? (await accounts.create({ email: link.email, verified: true, credits: 0 }));
        const session: Session = {
          id: `ses_${secret()}`,
          account: account.id,
          email: account.email,
          browser: userAgent,
          created_at: iso(),
          last_used_at: iso(),
        };
        const key = secret();
        sessions.set(key, session);
        return { session, secret: key, next: link.next, isNew: known === null };
      },
      session: async (key) => sessions.get(key) ?? null,
      sessions: async (account) => all().filter((one) => one.account === account),
      async end(account, id) {
        for (const [key, session] of sessions) {
          if (session.id === id && session.account === account) return sessions.delete(key);
        }
        return false;
      },
    },
    admin: {
      async link() {
        adminToken = secret();
        return adminToken;
      },
      async confirm(token) {
        if (token === '' || token !== adminToken) return null;
        adminToken = '';
        const key = secret();
        adminSessions.add(key);
        return key;
      },
      isOpen: async (key) => adminSessions.has(key),
    },
    payments: {
      method: 'hand',
      packs,
      async begin(account, credits) {
        const pack = packs.find((one) => one.credits === credits);
        if (pack === undefined) throw new ExtractError('invalid_parameter', 'There is no such pack.');
        const purchase: Purchase = {
          ...{ id: `pur_${secret()}`, account, ...pack, method: 'hand', status: 'open' },
          ...{ created_at: iso(), paid_at: null },
        };
        purchases.unshift(purchase);
        return { purchase, next: { kind: 'instructions', text: `Pay and name ${purchase.id}.` } };
      },
      async resume(account, id) {
        const found = purchases.find((one) => one.id === id && one.account === account);
        return found?.status === 'open' ? { kind: 'instructions', text: `Pay and name ${id}.` } : null;
      },
      list: async (account) => purchases.filter((one) => one.account === account),
      find: async (account, id) => purchases.find((one) => one.account === account && one.id === id) ?? null,
      async confirmByHand(account, credits) {
        const index = purchases.findLastIndex(
          (one) => one.account === account && one.credits === credits && one.status === 'open',
        );
        const open = purchases[index];
        if (open === undefined) throw new ExtractError('invalid_parameter', 'Nothing is open.');
        const paid: Purchase = { ...open, status: 'paid', paid_at: iso() };
        purchases[index] = paid;
        await accounts.credit(account, credits, paid.id);
        return paid;
      },
      stripeEvent: async () => undefined,
    },
    alerts: {
      threshold: async (account) => thresholds.get(account) ?? null,
      async setThreshold(account, credits) {
        if (credits === null) thresholds.delete(account);
        else thresholds.set(account, credits);
      },
    },
    async deleteAccount(account) {
      for (const [key, session] of sessions) if (session.account === account) sessions.delete(key);
      for (const { id } of await accounts.keys(account)) await accounts.revokeKey(id, account);
    },
    start: () => undefined,
    stop: async () => undefined,
  };
}
