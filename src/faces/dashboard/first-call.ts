import { endpoints } from '../../../lib/endpoints.js';
import { type CallSample, callSamples } from './call-samples.js';

/** The call that pages suggest to users who have made none yet. */
const path = 'photosocial/profile';
const params = { username: 'nasa' };

/** Playground page on which that call can be made with a key. */
export const firstCallPage = (key: string) => `/dashboard/playground?endpoint=${path}&key=${key}`;

/** Returns a first call with a key, the same in every interface; includes the key's secret if given. */
export function firstCallSamples(docsBase: string, secret?: string): readonly CallSample[] {
  const endpoint = endpoints.find((one) => one.path === path);
  return endpoint === undefined ? [] : callSamples(endpoint, params, docsBase, { secret });
}

/** The same for curl only. */
export function firstCurl(docsBase: string): string {
  return firstCallSamples(docsBase).find(({ label }) => label === 'curl')?.text ?? '';
}
