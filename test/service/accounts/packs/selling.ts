import type { TestContext } from 'node:test';
import { fakeStripe } from '../../../support/fake-stripe.js';
import type { StoreKind } from '../../../support/stores.js';
import { email, type HostedOptions, hosted } from '../hosted.js';

/** A server that sells packs, by hand if it has no Stripe, and the account that buys. */
export async function selling(kind: StoreKind, { settings, ...options }: HostedOptions = {}) {
  const prices = { EXTRACT_PACK_PRICES: '50000=49.00,250000=199' };
  const here = await hosted(kind, { trial: 0, ...options, settings: { ...prices, ...settings } });
  const { id: account } = (await here.accounts.find(email)) ?? (await here.create());
  return { ...here, account, credits: (owner = account) => here.credits(owner) };
}

export async function sellingThroughStripe(t: TestContext, kind: StoreKind, options: HostedOptions = {}) {
  const stripe = await fakeStripe(t);
  return { stripe, ...(await selling(kind, { stripe: stripe.host, ...options })) };
}
