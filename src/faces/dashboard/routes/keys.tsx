import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { platforms } from '../../../../lib/platforms.js';
import type { ApiKey } from '../../../service/accounts/account-objects.js';
import { isActive, maxKeyNameLength, maxMonthlyCredits } from '../../../service/accounts/accounts.js';
import { withSpend } from '../../../service/usage/key-spend.js';
import { type DashboardContext, redirectTo, viewerOf } from '../context.js';
import { startOfDay } from '../days.js';
import { pageNotFound } from '../error-handler.js';
import { readForm, textFields } from '../forms.js';
import { KeyLimitPage, KeysPage, NewSecretPage, RevokeKeyPage } from '../pages/keys.js';

const asList = (value: unknown) => [value ?? []].flat();

/** A limit, which may group digits; an empty field means no limit. */
const limitField = z
  .string()
  .optional()
  .transform((text = '') => {
    const digits = text.trim().replaceAll(/[, _]/g, '');
    if (digits === '') return null;
    return /^\d{1,10}$/.test(digits) ? Number(digits) : Number.NaN;
  })
  .refine(
    (credits) => credits === null || credits <= maxMonthlyCredits,
    'Enter a whole number of credits, or leave it empty for no limit.',
  );

const limitForm = z.object({ monthly_credits: limitField });

/** The form at a time in milliseconds since 1970, after which a key must expire. */
const newKeyForm = (now: number) =>
  z.object({
    name: z
      .string('Enter a name for the key.')
      .trim()
      .min(1, 'Enter a name for the key.')
      .max(maxKeyNameLength, `At most ${maxKeyNameLength} characters.`),
    platforms: z.preprocess(asList, z.array(z.enum(platforms)).min(1, 'Select at least one platform.')),
    expires: z
      .string()
      .optional()
      .transform((text) => (text === undefined || text === '' ? undefined : (startOfDay(text) ?? Number.NaN)))
      .refine((time) => !Number.isNaN(time), 'Enter a day, such as 2027-01-31.')
      .refine((time) => time === undefined || time > now, 'Choose a day after today.'),
    monthly_credits: limitField,
  });

type OfKey = { Params: { id: string } };

export function addKeyRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { accounts } = context.hosting;
  const { submitted, services } = context;
  const { clock } = services;

  const listed = (key: ApiKey) => withSpend(key, context.usage, clock.now());
  const listedKeys = async (account: string) => Promise.all((await accounts.listKeys(account)).map(listed));

  app.get('/keys', async (request, reply) => {
    const keys = await listedKeys(viewerOf(request).account.id);
    return reply.sendPage(<KeysPage keys={keys} now={clock.now()} />);
  });

  app.post('/keys', async (request, reply) => {
    const account = viewerOf(request).account.id;
    const again = async (
      status: number,
      refusal: { problems?: Record<string, string>; problem?: string },
    ) => {
      const keys = await listedKeys(account);
      const { name, expires, monthly_credits: monthly } = textFields(request.body);
      const platformNames = asList((request.body as { platforms?: unknown } | undefined)?.platforms).map(
        String,
      );
      return reply.sendPage(
        <KeysPage
          {...{ keys, name, chosen: platformNames, expires, monthly }}
          {...refusal}
          now={clock.now()}
        />,
        status,
      );
    };
    const form = readForm(newKeyForm(clock.now()), request.body);
    if (!form.ok) return again(400, form);
    const { name, platforms: platformNames, expires, monthly_credits: monthlyCredits } = form.data;
    const every = platforms.every((platform) => platformNames.includes(platform));
    try {
      const created = await submitted.secretly(request, () =>
        accounts.createKey({
          ...{ account, name, platforms: every ? null : platformNames, expiresAt: expires, monthlyCredits },
        }),
      );
      if (created === undefined) return redirectTo(reply, '/dashboard/keys', 'key-created-before');
      const { key, secret } = created;
      return reply.sendPage(<NewSecretPage apiKey={key} secret={secret} />, 201);
    } catch (error) {
      if (!(error instanceof ExtractError) || error.code !== 'key_limit_reached') throw error;
      return again(error.status, { problem: error.message });
    }
  });

  async function keyOf(request: FastifyRequest<OfKey>): Promise<ApiKey> {
    const keys = await accounts.listKeys(viewerOf(request).account.id);
    const key = keys.find(({ id }) => id === request.params.id);
    if (key === undefined) throw pageNotFound();
    return key;
  }

  /** A key already revoked in another tab shows the same notice. */
  const toEnded = (reply: FastifyReply, { revoked_at: revoked }: ApiKey) =>
    redirectTo(reply, '/dashboard/keys', revoked === null ? 'key-ended' : 'key-revoked');

  app.get<OfKey>('/keys/:id/limit', async (request, reply) => {
    const key = await keyOf(request);
    if (!isActive(key, clock.now())) return redirectTo(reply, '/dashboard/keys', 'key-ended');
    const apiKey = await listed(key);
    return reply.sendPage(<KeyLimitPage apiKey={apiKey} />);
  });

  app.post<OfKey>('/keys/:id/limit', async (request, reply) => {
    const key = await keyOf(request);
    if (!isActive(key, clock.now())) return redirectTo(reply, '/dashboard/keys', 'key-ended');
    const form = readForm(limitForm, request.body);
    if (!form.ok) {
      const { monthly_credits: limitText } = textFields(request.body);
      const apiKey = await listed(key);
      const problem = form.problems.monthly_credits;
      return reply.sendPage(<KeyLimitPage {...{ apiKey, typed: limitText, problem }} />, 400);
    }
    await accounts.limitKey(key.id, form.data.monthly_credits, key.account);
    return redirectTo(reply, '/dashboard/keys', 'key-limited');
  });

  app.get<OfKey>('/keys/:id/revoke', async (request, reply: FastifyReply) => {
    const apiKey = await keyOf(request);
    if (!isActive(apiKey, clock.now())) return toEnded(reply, apiKey);
    return reply.sendPage(<RevokeKeyPage apiKey={apiKey} />);
  });

  app.post<OfKey>('/keys/:id/revoke', async (request, reply) => {
    const key = await keyOf(request);
    if (!isActive(key, clock.now())) return toEnded(reply, key);
    await accounts.revokeKey(key.id, key.account);
    return redirectTo(reply, '/dashboard/keys', 'key-revoked');
  });
}
