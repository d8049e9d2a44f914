import { endpoints } from '../../../lib/endpoints.js';
import { type CallSample, callSamples } from './call-samples.js';

/** The call that pages suggest before the first call of an account. */
const path = 'photosocial/profile';
const params = { username: 'nasa' };

export const firstCallPage = (key: string) => `/dashboard/playground?endpoint=${path}&key=${key}`;

/** Returns a first call with a key, for every interface; includes the secret if passed. */
export function firstCallSamples(docsBase: string, secret?: string): readonly CallSample[] {
  const endpoint = endpoints.find((one) => one.path === path);
  return endpoint === undefined ? [] : callSamples(endpoint, params, docsBase, { secret });
}

/** Returns the curl command only. */
export function firstCurl(docsBase: string): string {
  return firstCallSamples(docsBase).find(({ label }) => label === 'curl')?.text ?? '';
}
