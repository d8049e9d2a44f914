import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Endpoint } from '../../../../../lib/endpoint.js';
import { ExtractError } from '../../../../../lib/errors/extract-error.js';
import { inField } from '../../../../../lib/errors/in-field.js';
import { formatOfName, inputFormats } from '../../../../files/batch-files/input.js';
import { stepFields } from '../../../../lines/step-fields.js';
import type { ApiKey } from '../../../../service/accounts/account-objects.js';
import { type LineOptions, lineOptionsIn } from '../../../../service/jobs/job.js';
import { InputTexts } from '../../../../service/jobs/job-limits.js';
import { type JobFields, parseJobRequest } from '../../../../service/jobs/job-request.js';
import { activeKeys } from '../../active-keys.js';
import { type DashboardContext, viewerOf } from '../../context.js';
import { type FormValues, readForm, textFields } from '../../forms.js';
import type { Draft } from '../../jobs/drafts.js';
import { readDraft } from '../../jobs/read-draft.js';
import { NewJobPage } from '../../pages/jobs/new.js';
import { acceptUploads, UploadedFile } from '../../uploads.js';

const chooseText = 'Choose one from the list.';
const optionalText = z
  .string()
  .trim()
  .optional()
  .transform((text) => text || undefined);
const fields = z.object({
  endpoint: z.string(chooseText),
  format: z.enum(['auto', ...inputFormats], chooseText).default('auto'),
  key: z.string().default(''),
  name: optionalText,
  webhook_url: optionalText,
  schedule: optionalText,
  timezone: optionalText,
  notify: optionalText.transform((text) => text?.split(/[\s,]+/)),
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

/** Returns the problem of each field. Parsing stops at the first one, so each is corrected in turn. */
async function fieldProblems(endpoint: Endpoint, fields: JobFields): Promise<FormValues> {
  const problems: Record<string, string> = {};
  const corrected: Record<string, unknown> = { ...fields };
  const body = { endpoint: endpoint.path, inputs: new InputTexts(['{}']) };
  for (;;) {
    try {
      await parseJobRequest({ ...corrected, ...body }, [endpoint], '');
      return problems;
    } catch (error) {
      const field = error instanceof ExtractError ? error.field : undefined;
      if (!(error instanceof ExtractError) || field === undefined || field in problems) throw error;
      problems[field] = error.message;
      corrected[field] = field === 'schedule' ? '1d' : undefined;
    }
  }
}

/** Asks for the inputs of a job, and parses them. */
export function addNewJobRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { jobs, drafts } = context;
  const { endpoints } = jobs;

  app.get('/jobs/new', async (request, reply) => {
    const { endpoint } = request.query as { readonly endpoint?: unknown };
    const values: FormValues = typeof endpoint === 'string' ? { endpoint } : {};
    const keys = await activeKeys(context, viewerOf(request).account.id);
    return reply.sendPage(<NewJobPage {...{ endpoints, keys, values }} />);
  });

  /** Returns the draft for a submitted form. Rejects with `InvalidForm` if it cannot become one. */
  async function draftOf(request: FastifyRequest): Promise<Draft> {
    const account = viewerOf(request).account.id;
    const form = readForm(fields, request.body);
    if (!form.ok) throw new InvalidForm(400, form.problems);
    const { endpoint: path, format, key, ...texts } = form.data;
    const jobFields = { ...texts, ...lineOptionsOf(request.body) };
    const { file } = request.body as { readonly file?: unknown };
    const text = pastedText(request.body);
    const isFile = file instanceof UploadedFile && file.hasContent;
    const inputField = isFile ? 'file' : 'text';
    if (isFile && !isBlank(text)) {
      throw new InvalidForm(400, { text: 'Choose a file or paste text, not both.' });
    }
    const endpoint = endpoints.find((one) => one.path === path);
    if (endpoint === undefined) throw new InvalidForm(400, { endpoint: chooseText });
    try {
      const apiKey = await inField('key', () => usableKey(account, key, endpoint));
      const source = isFile ? file : text;
      const draft = await readDraft({
        ...{ account, endpoint, fields: jobFields, key: apiKey?.id ?? null },
        content: source.completeContent(),
        source: isFile ? `the file ${file.name.slice(0, 200)}` : 'a pasted text',
        format: format === 'auto' ? formatOfName(source.name) : format,
      });
      const { webhookUrl, notify = [] } = draft.request ?? draft.soundRequest ?? {};
      await inField('webhook_url', async () => webhookUrl !== undefined && jobs.checkTarget(webhookUrl));
      await inField('notify', () => jobs.checkNotified(account, notify));
      return await drafts.add(draft);
    } catch (error) {
      if (!(error instanceof ExtractError) || error.type === 'internal') throw error;
      throw new InvalidForm(error.status, {
        ...(await fieldProblems(endpoint, jobFields)),
        [error.field ?? inputField]: error.message,
      });
    }
  }

  /** Returns the chosen key; null for none. */
  async function usableKey(account: string, key: string, { platform }: Endpoint): Promise<ApiKey | null> {
    if (key === '') return null;
    const apiKey = (await activeKeys(context, account)).find(({ id }) => id === key);
    if (apiKey === undefined) throw new ExtractError('revoked_api_key', 'This key is not active.');
    context.access.checkPlatform(apiKey, platform);
    return apiKey;
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
        const keys = await activeKeys(context, viewerOf(request).account.id);
        const { problems, status } = error;
        return reply.sendPage(<NewJobPage {...{ endpoints, keys, values, problems }} />, status);
      }
    });
  });
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
