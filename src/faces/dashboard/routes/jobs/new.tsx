import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Endpoint } from '../../../../../lib/endpoint.js';
import { ExtractError } from '../../../../../lib/errors/extract-error.js';
import { formatOfName, inputFormats } from '../../../../files/batch-files/input.js';
import { stepFields } from '../../../../lines/step-fields.js';
import type { ApiKey } from '../../../../service/accounts/account-objects.js';
import { isActive } from '../../../../service/accounts/accounts.js';
import { type LineOptions, lineOptionsIn } from '../../../../service/jobs/job.js';
import { InputTexts } from '../../../../service/jobs/job-limits.js';
import { type JobFields, parseJobRequest } from '../../../../service/jobs/job-request.js';
import type { Jobs } from '../../../../service/jobs/open-jobs.js';
import { type DashboardContext, viewerOf } from '../../context.js';
import { type FormValues, readForm, textFields } from '../../forms.js';
import type { Draft, Drafts } from '../../jobs/drafts.js';
import { readDraft } from '../../jobs/read-draft.js';
import { NewJobPage } from '../../pages/jobs/new.js';
import { acceptUploads, UploadedFile } from '../../uploads.js';

const chooseText = 'Choose one from the list.';
const fields = z.object({
  endpoint: z.string(chooseText),
  format: z.enum(['auto', ...inputFormats], chooseText).default('auto'),
  name: z.string().trim().default(''),
  webhook_url: z.string().trim().default(''),
  key: z.string().default(''),
  schedule: z.string().trim().default(''),
  timezone: z.string().trim().default(''),
  notify: z.string().default(''),
});

/** Maximum bytes of pasted text to restore in a rejected form. */
const maxRestoredBytes = 256 * 1024;

/** Returns the pasted text; in a form without files it is an ordinary value. */
function pastedText(body: unknown): UploadedFile {
  const { text } = (body ?? {}) as { readonly text?: unknown };
  if (text instanceof UploadedFile) return text;
  return new UploadedFile('', Buffer.from(typeof text === 'string' ? text : ''), false);
}

const isBlank = ({ content }: UploadedFile) =>
  content.length <= maxRestoredBytes && content.toString().trim() === '';

function lineOptionsOf(body: unknown): LineOptions {
  const texts = textFields(body);
  const values = stepFields.map(({ name, isSwitch }) => {
    const text = texts[name]?.trim() ?? '';
    return [name, isSwitch ? text === 'true' || undefined : text || undefined] as const;
  });
  return lineOptionsIn(Object.fromEntries(values), 'schedule');
}

function fieldOf({ code, message }: ExtractError, inputField: 'file' | 'text'): string {
  if (code.startsWith('webhook_url') || message.includes('webhook_url')) return 'webhook_url';
  if (message.includes('field name')) return 'name';
  if (message.includes('timezone')) return 'timezone';
  if (message.includes('requires a schedule')) return 'schedule';
  const ofStep = stepFields.find(({ name }) => message.includes(`field ${name} `));
  if (ofStep !== undefined) return ofStep.name;
  if (/field notify|alert/i.test(message)) return 'notify';
  if (message.includes('timetable') || message.includes('schedule')) return 'schedule';
  if (code === 'platform_not_allowed' || code === 'revoked_api_key') return 'key';
  return inputField;
}

/** Returns the problem of each field; reading a job stops at the first one. */
async function fieldProblems(
  endpoint: Endpoint,
  form: z.infer<typeof fields>,
  lineOptions: LineOptions,
): Promise<FormValues> {
  const { name, webhook_url: webhook, schedule, timezone, notify } = form;
  const targets = notify.split(/[\s,]+/).filter((target) => target !== '');
  const optionalText = (text: string) => (text === '' ? undefined : text);
  const times = { schedule: optionalText(schedule), timezone: optionalText(timezone) };
  const parts: readonly JobFields[] = [
    { name: optionalText(name) },
    { webhook_url: optionalText(webhook) },
    times,
    // A wrong schedule is reported at its own field.
    { ...lineOptions, schedule: '1d' },
    { notify: targets.length === 0 ? undefined : targets, schedule: schedule === '' ? undefined : '1d' },
  ];
  const problems: Record<string, string> = {};
  for (const part of parts) {
    try {
      await parseJobRequest(
        { endpoint: endpoint.path, inputs: new InputTexts(['{}']), ...part },
        [endpoint],
        '',
      );
    } catch (error) {
      Object.assign(problems, invalidForm(error, 'text').problems);
    }
  }
  return problems;
}

/** Asks for the inputs of a job, and parses them. */
export function addNewJobRoutes(
  app: FastifyInstance,
  context: DashboardContext,
  { jobs, drafts }: { readonly jobs: Jobs; readonly drafts: Drafts },
): void {
  const { endpoints } = jobs;

  async function activeKeys(account: string): Promise<readonly ApiKey[]> {
    const keys = await context.hosting.accounts.listKeys(account);
    return keys.filter((key) => isActive(key, context.services.clock.now()));
  }

  app.get('/jobs/new', async (request, reply) => {
    const { endpoint } = request.query as { readonly endpoint?: unknown };
    const values: FormValues = typeof endpoint === 'string' ? { endpoint } : {};
    const keys = await activeKeys(viewerOf(request).account.id);
    return reply.sendPage(<NewJobPage {...{ endpoints, keys, values }} />);
  });

  /** Returns the draft for a submitted form. Throws `Unfit` if it cannot become one. */
  async function draftOf(request: FastifyRequest): Promise<Draft> {
    const account = viewerOf(request).account.id;
    const form = readForm(fields, request.body);
    if (!form.ok) throw new InvalidForm(400, form.problems);
    const { endpoint: path, format, name, webhook_url: webhook, key, schedule, timezone } = form.data;
    const lineOptions = lineOptionsOf(request.body);
    const targets = form.data.notify.split(/[\s,]+/).filter((target) => target !== '');
    const { file } = request.body as { readonly file?: unknown };
    const text = pastedText(request.body);
    const isFile = file instanceof UploadedFile && file.isGiven;
    const inputField = isFile ? 'file' : 'text';
    if (isFile && !isBlank(text)) {
      throw new InvalidForm(400, { text: 'Choose a file or paste text, not both.' });
    }
    const endpoint = endpoints.find((one) => one.path === path);
    if (endpoint === undefined) throw new InvalidForm(400, { endpoint: chooseText });
    try {
      const apiKey = key === '' ? null : (await activeKeys(account)).find(({ id }) => id === key);
      if (apiKey === undefined) throw new ExtractError('revoked_api_key', 'This key is not active.');
      if (apiKey !== null) context.access.checkPlatform(apiKey, endpoint.platform);
      const source = isFile ? file : text;
      const content = source.completeContent();
      const draft = await readDraft({
        ...{ account, endpoint, content, key: apiKey?.id ?? null, name },
        source: isFile ? `the file ${file.name.slice(0, 200)}` : 'a pasted text',
        format: format === 'auto' ? formatOfName(source.name) : format,
        webhookUrl: webhook === '' ? undefined : webhook,
        schedule: schedule === '' ? undefined : schedule,
        timezone: timezone === '' ? undefined : timezone,
        notify: targets.length === 0 ? undefined : targets,
        lineOptions,
      });
      if (webhook !== '') await jobs.checkTarget(webhook);
      await checkNotified(account, draft);
      return await drafts.add(draft);
    } catch (error) {
      const first = error instanceof InvalidForm ? error : invalidForm(error, inputField);
      throw new InvalidForm(first.status, {
        ...(await fieldProblems(endpoint, form.data, lineOptions)),
        ...first.problems,
      });
    }
  }

  /** Throws `InvalidForm` if a notification target is not allowed. */
  async function checkNotified(account: string, { request, soundRequest }: Omit<Draft, 'id'>): Promise<void> {
    try {
      await jobs.checkNotified(account, (request ?? soundRequest)?.notify ?? []);
    } catch (error) {
      if (!(error instanceof ExtractError) || error.type === 'internal') throw error;
      throw new InvalidForm(error.status, { notify: error.message });
    }
  }

  app.register(async (forms) => {
    await acceptUploads(forms, ['text']);
    // Before the body is read, because uploads are limited per account.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      await context.bodies.hold(request, reply, request.viewer?.account.id ?? 'nobody');
    };
    forms.post('/jobs/new', { onRequest }, async (request, reply) => {
      try {
        const { id } = await draftOf(request);
        return reply.redirect(`/dashboard/jobs/drafts/${id}`, 303);
      } catch (error) {
        if (!(error instanceof InvalidForm)) throw error;
        const { content } = pastedText(request.body);
        const text = content.length > maxRestoredBytes ? '' : content.toString();
        const values = { ...textFields(request.body), text };
        const keys = await activeKeys(viewerOf(request).account.id);
        const { problems, status } = error;
        return reply.sendPage(<NewJobPage {...{ endpoints, keys, values, problems }} />, status);
      }
    });
  });
}

/** Converts an error to the form it concerns. Throws any other error. */
function invalidForm(error: unknown, inputField: 'file' | 'text'): InvalidForm {
  if (!(error instanceof ExtractError) || error.type === 'internal') throw error;
  return new InvalidForm(error.status, { [fieldOf(error, inputField)]: error.message });
}

class InvalidForm extends Error {
  readonly status: number;
  readonly problems: FormValues;

  constructor(status: number, problems: FormValues) {
    super('The form is not valid.');
    this.status = status;
    this.problems = problems;
  }
}
