import type { FastifyReply, FastifyRequest } from 'fastify';
import { call } from '../../../lib/call/call.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { kindOf } from '../../../lib/params/describe.js';
import { casesOf } from '../../../lib/samples.js';
import { logVisited } from '../../output/log.js';
import type { ApiKey } from '../../service/accounts/account-objects.js';
import type { Account, KeyOwner } from '../../service/accounts/accounts.js';
import { chargedKey } from '../../service/usage/key-spend.js';
import type { DashboardContext } from './context.js';
import { type FormValues, textFields } from './forms.js';

/** Prefix of the fields for parameters. */
export const parameterPrefix = 'param-';

/** Returns the submitted parameters, without empty ones. `demo` is chosen separately. */
export function formParams(endpoint: Endpoint, body: unknown): FormValues {
  const values = textFields(body);
  const params: Record<string, string> = {};
  for (const name of Object.keys(endpoint.params)) {
    const value = values[`${parameterPrefix}${name}`]?.trim();
    if (name !== 'demo' && value !== undefined && value !== '') params[name] = value;
  }
  return params;
}

/** Converts them to numbers and booleans. */
export function valuesOf(endpoint: Endpoint, params: FormValues): Record<string, string | number | boolean> {
  const value = (name: string, text: string) => {
    const schema = endpoint.params[name];
    const type = schema === undefined ? 'string' : kindOf(schema).type;
    if (type === 'boolean') return text === 'true' ? true : text;
    if (type === 'string' || text === '' || Number.isNaN(Number(text))) return text;
    return Number(text);
  };
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, value(name, text)]));
}

/** Returns the parameters of the endpoint's sample, which the demo answers exactly. */
export async function sampleParams(endpoint: Endpoint): Promise<FormValues> {
  const [sample] = await casesOf(endpoint);
  return Object.fromEntries(
    Object.entries(sample?.params ?? {}).map(([name, value]) => [name, String(value)]),
  );
}

function ownerOf(account: Account, key: ApiKey): KeyOwner {
  const { platforms, expires_at } = key;
  const { email, verified, created_at } = account;
  return {
    account: account.id,
    email,
    verified,
    key: chargedKey(key),
    platforms,
    expires_at,
    since: created_at,
  };
}

/**
 * Runs an endpoint as an HTTP request would. A selected key is charged, within its limits; without one the data is a
 * sample. Rejects with the errors of such a request.
 */
export async function runCall(
  { access, services, metrics, closing }: DashboardContext,
  question: {
    readonly endpoint: Endpoint;
    readonly params: FormValues;
    readonly account: Account;
    readonly apiKey: ApiKey | null;
  },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> {
  const { endpoint, params, account, apiKey } = question;
  if (apiKey === null) await access.admitDemo(request, reply);
  else access.admitOwner(ownerOf(account, apiKey), reply, endpoint.platform);
  const sentParams = apiKey === null ? { ...params, demo: 'true' } : params;
  const caller = {
    requestId: request.id,
    account: account.id,
    key: apiKey === null ? undefined : ownerOf(account, apiKey).key,
  };
  const answer = await call(endpoint, sentParams, services, caller, { texts: true, signal: closing });
  metrics.countAnswer(endpoint, answer);
  logVisited(request.log, endpoint, answer);
  return answer;
}
