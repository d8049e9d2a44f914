import { endpoints } from '../../../lib/endpoints.js';
import { type CallSample, callSamples } from './call-samples.js';

/** The call that pages show to somebody who has made none yet. */
const path = 'photosocial/profile';
const params = { username: 'nasa' };

/** Page of the playground where that call can be made with a key. */
export const firstCallPage = (key: string) => `/dashboard/playground?endpoint=${path}&key=${key}`;

/** A first call with a key, the same in every face; holds the key itself where it is given. */
export function firstCallSamples(docsBase: string, secret?: string): readonly CallSample[] {
  const endpoint = endpoints.find((one) => one.path === path);
  return endpoint === undefined ? [] : callSamples(endpoint, params, docsBase, { secret });
}

/** The same for curl alone. */
export function firstCurl(docsBase: string): string {
  return firstCallSamples(docsBase).find(({ label }) => label === 'curl')?.text ?? '';
}
