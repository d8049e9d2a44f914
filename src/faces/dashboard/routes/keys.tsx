import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { platforms } from '../../../../lib/platforms.js';
import type { ApiKey } from '../../../service/accounts/account-objects.js';
import { isActive, maxKeyNameLength, maxMonthlyCredits } from '../../../service/accounts/accounts.js';
import { withSpend } from '../../../service/usage/key-spend.js';
import { type DashboardContext, type OfId, redirectTo, viewerOf } from '../context.js';
import { startOfDay } from '../days.js';
import { pageNotFound } from '../error-handler.js';
import { type FormValues, parseCredits, readForm, textFields } from '../forms.js';
import { KeyLimitPage, KeysPage, NewSecretPage, RevokeKeyPage } from '../pages/keys.js';

const asList = (value: unknown) => [value ?? []].flat();

/** A limit, which may group digits; an empty field means no limit. */
const limitField = z
  .string()
  .optional()
  .transform((text) => parseCredits(text, { min: 0, max: maxMonthlyCredits }))
  .refine(
    (credits) => !Number.isNaN(credits),
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
    const again = async (status: number, refusal: { problems?: FormValues; problem?: string }) => {
      const { platforms: chosen } = (request.body ?? {}) as { platforms?: unknown };
      return reply.sendPage(
        <KeysPage
          keys={await listedKeys(account)}
          chosen={asList(chosen).map(String)}
          values={textFields(request.body)}
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

  async function keyOf(request: FastifyRequest<OfId>): Promise<ApiKey> {
    const keys = await accounts.listKeys(viewerOf(request).account.id);
    const key = keys.find(({ id }) => id === request.params.id);
    if (key === undefined) throw pageNotFound();
    return key;
  }

  /** A key already revoked in another tab shows the same notice. */
  const toEnded = (reply: FastifyReply, { revoked_at: revoked }: ApiKey) =>
    redirectTo(reply, '/dashboard/keys', revoked === null ? 'key-ended' : 'key-revoked');

  app.get<OfId>('/keys/:id/limit', async (request, reply) => {
    const key = await keyOf(request);
    if (!isActive(key, clock.now())) return redirectTo(reply, '/dashboard/keys', 'key-ended');
    const apiKey = await listed(key);
    return reply.sendPage(<KeyLimitPage apiKey={apiKey} />);
  });

  app.post<OfId>('/keys/:id/limit', async (request, reply) => {
    const key = await keyOf(request);
    if (!isActive(key, clock.now())) return redirectTo(reply, '/dashboard/keys', 'key-ended');
    const form = readForm(limitForm, request.body);
    if (!form.ok) {
      const apiKey = await listed(key);
      const values = textFields(request.body);
      return reply.sendPage(<KeyLimitPage {...{ apiKey, values }} problems={form.problems} />, 400);
    }
    await accounts.limitKey(key.id, form.data.monthly_credits, key.account);
    return redirectTo(reply, '/dashboard/keys', 'key-limited');
  });

  app.get<OfId>('/keys/:id/revoke', async (request, reply: FastifyReply) => {
    const apiKey = await keyOf(request);
    if (!isActive(apiKey, clock.now())) return toEnded(reply, apiKey);
    return reply.sendPage(<RevokeKeyPage apiKey={apiKey} />);
  });

  app.post<OfId>('/keys/:id/revoke', async (request, reply) => {
    const key = await keyOf(request);
    if (!isActive(key, clock.now())) return toEnded(reply, key);
    await accounts.revokeKey(key.id, key.account);
    return redirectTo(reply, '/dashboard/keys', 'key-revoked');
  });
}
