import { createHash } from 'node:crypto';
import type { Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { parseTimetable, type Timetable } from '../schedule/timetable.js';
import { minScheduleGap, scheduleZone } from './schedules/schedule.js';

/** Inputs of one job at most. */
export const maxInputs = 10_000;
/** Levels of an input at most: parameters are not nested at all, and what is wrong is repeated in its line. */
const maxDepth = 16;
/** Longest idempotency key. */
export const maxIdempotencyKeyLength = 255;
/** Characters of a webhook's address at most. */
export const maxWebhookUrlLength = 2048;
/** Bytes of a job's inputs at most: of the body of `POST /v1/jobs`, of an uploaded file, of a pasted text. */
export const maxJobBytes = 16 * 1024 * 1024;

/** The body of `POST /jobs`, checked without the network. */
export interface JobRequest {
  readonly endpoint: Endpoint;
  /** Each as JSON text. */
  readonly inputs: readonly string[];
  readonly webhookUrl: string | undefined;
  /** When it is to be made again and again; undefined for once. */
  readonly schedule: Timetable | undefined;
  /** Equal requests, equal digests. */
  readonly digest: string;
}

const fields = ['endpoint', 'inputs', 'webhook_url', 'schedule'] as const;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function wrong(message: string): ExtractError {
  return new ExtractError('invalid_parameter', message);
}

function endpointOf(value: unknown, endpoints: readonly Endpoint[]): Endpoint {
  if (value === undefined) throw new ExtractError('missing_parameter', 'Give endpoint, such as maps/place.');
  if (typeof value !== 'string') throw wrong('The field endpoint must be a text such as maps/place.');
  const endpoint = endpoints.find(({ path }) => path === value);
  if (endpoint !== undefined) return endpoint;
  throw new ExtractError(
    'endpoint_not_found',
    `There is no endpoint ${JSON.stringify(value.slice(0, 80))}. Endpoints: ${endpoints.map(({ path }) => path).join(', ')}.`,
  );
}

function inputsOf(value: unknown): readonly string[] {
  if (value === undefined) {
    throw new ExtractError('missing_parameter', 'Give inputs: an array of parameter objects.');
  }
  if (!Array.isArray(value)) throw wrong('The field inputs must be an array of parameter objects.');
  if (value.length === 0) throw wrong('The field inputs must hold at least one object.');
  if (value.length > maxInputs) {
    throw new ExtractError(
      'too_many_inputs',
      `A job takes at most 10,000 inputs; these are ${value.length.toLocaleString('en-US')}.`,
    );
  }
  return value.map((input: unknown, index) => {
    if (!isObject(input)) throw wrong(`The field inputs[${index}] must be an object of parameters.`);
    if (isDeeper(input, maxDepth)) {
      throw new ExtractError('invalid_body', `The field inputs[${index}] is nested too deeply.`);
    }
    return JSON.stringify(input);
  });
}

function webhookOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > maxWebhookUrlLength || !URL.canParse(value)) {
    throw wrong('The field webhook_url must be an https URL of at most 2,048 characters.');
  }
  const url = new URL(value);
  if (url.protocol !== 'https:') throw new ExtractError('webhook_url_not_https');
  if (url.username !== '' || url.password !== '') {
    throw wrong('The field webhook_url must not carry a user name or password.');
  }
  return value;
}

/** Runs that are looked at for the gap between them. */
const gapsChecked = 50;

/** The timetable of a job that is made again and again. Throws `invalid_parameter`. */
function scheduleOf(value: unknown): Timetable | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > 100) {
    throw wrong('The field schedule must be a text such as 6h, 1d or "0 6 * * *".');
  }
  const timetable = parseTimetable(value, scheduleZone);
  // Any moment will do: a timetable repeats itself.
  let at = timetable.next(0, 0);
  for (let gap = 0; gap < gapsChecked; gap += 1) {
    const next = timetable.next(at, 0);
    if (next - at < minScheduleGap) throw wrong('A schedule runs every 15 minutes at most.');
    at = next;
  }
  return timetable;
}

/**
 * Checks the body of `POST /jobs`. Throws `invalid_body`, `missing_parameter`, `unknown_parameter`,
 * `invalid_parameter`, `endpoint_not_found`, `too_many_inputs`, `webhook_url_not_https`.
 */
export function parseJobRequest(body: unknown, endpoints: readonly Endpoint[]): JobRequest {
  if (!isObject(body)) throw new ExtractError('invalid_body', 'The body must be a JSON object.');
  const unknown = Object.keys(body).find((name) => !(fields as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new ExtractError(
      'unknown_parameter',
      `A job has no field ${JSON.stringify(unknown.slice(0, 80))}. It takes: ${fields.join(', ')}.`,
    );
  }
  const endpoint = endpointOf(body.endpoint, endpoints);
  const inputs = inputsOf(body.inputs);
  const webhookUrl = webhookOf(body.webhook_url);
  const schedule = scheduleOf(body.schedule);
  const once = [endpoint.path, webhookUrl ?? null];
  const about = schedule === undefined ? once : [...once, schedule.text];
  const digest = createHash('sha256').update(JSON.stringify(about));
  for (const input of inputs) digest.update('\n').update(input);
  return { endpoint, inputs, webhookUrl, schedule, digest: digest.digest('base64url') };
}

/** The `Idempotency-Key` header, checked. Throws `invalid_parameter`. */
export function parseIdempotencyKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || header.trim() === '' || header.length > maxIdempotencyKeyLength) {
    throw wrong(`The header Idempotency-Key must be one text of 1 to ${maxIdempotencyKeyLength} characters.`);
  }
  return header;
}
