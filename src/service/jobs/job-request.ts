import { createHash } from 'node:crypto';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { inField } from '../../../lib/errors/in-field.js';
import { contractPath } from '../../../lib/platforms.js';
import { accountTurns } from '../../../lib/runtime/account-turns.js';
import { nearestPaths, suggestion } from '../../../lib/runtime/nearest-words.js';
import { isBucketAddress, parseBucketAddress } from '../../files/bucket/bucket-address.js';
import { endingsOf, fileKinds, kindOfName } from '../../files/result-files/file-kind.js';
import type { Target } from '../notify/target.js';
import { defaultZone, parseTimeZone } from '../schedule/time-zone.js';
import { parseTimetable, type Timetable } from '../schedule/timetable.js';
import type { LineOptions } from './job.js';
import { InputTexts, type JobField, maxJobNameLength } from './job-limits.js';
import { lineOptionFields } from './job-objects.js';
import { requestJobSteps } from './runner/job-steps.js';
import { parseNotify } from './schedules/alerts/check-targets.js';
import { minScheduleGap } from './schedules/schedule.js';

export const maxWebhookUrlLength = 2048;
/** Maximum bytes of a job's inputs: a body of `POST /v1/jobs`, an uploaded file, a pasted text. */
export const maxJobBytes = 16 * 1024 * 1024;

/** The validated body of `POST /jobs`. */
export interface JobRequest {
  readonly endpoint: Endpoint;
  readonly name: string | undefined;
  /** Each as JSON text. */
  readonly inputs: readonly string[];
  readonly webhookUrl: string | undefined;
  /** When it is repeated; undefined for a single run. */
  readonly schedule: Timetable | undefined;
  /** The time zone of the schedule's times. */
  readonly timezone: string;
  /** Targets notified of each run. */
  readonly notify: readonly Target[];
  readonly lineOptions: LineOptions;
  /** Equal requests have equal digests. */
  readonly digest: string;
}

function wrong(message: string): ExtractError {
  return new ExtractError('invalid_parameter', message);
}

function endpointOf(value: unknown, endpoints: readonly Endpoint[]): Endpoint {
  if (value === undefined)
    throw new ExtractError(
      'missing_parameter',
      'The field endpoint is missing; set it to a path such as maps/place.',
    );
  if (typeof value !== 'string') throw wrong('The field endpoint must be a string such as maps/place.');
  const endpoint = endpoints.find(({ path }) => path === value);
  if (endpoint !== undefined) return endpoint;
  const endpointPath = contractPath(value);
  const paths = endpoints.map(({ path }) => path);
  const corrected = paths.find((path) => path === endpointPath);
  throw new ExtractError(
    'endpoint_not_found',
    `Unknown endpoint ${JSON.stringify(value.slice(0, 80))}. ${suggestion(corrected === undefined ? nearestPaths(value, paths) : [corrected]) || `Endpoints: ${paths.join(', ')}.`}`,
  );
}

function inputsOf(value: unknown): readonly string[] {
  if (value === undefined) {
    throw new ExtractError(
      'missing_parameter',
      'The field inputs is missing; set it to an array of parameter objects.',
    );
  }
  if (!(value instanceof InputTexts)) throw wrong('The field inputs must be an array of parameter objects.');
  if (value.texts.length === 0) throw wrong('The field inputs must contain at least one object.');
  return value.texts;
}

/**
 * Parses the options for a job's lines. Rejects `invalid_parameter`, with the position of a syntax error in a
 * condition.
 */
async function lineOptionsOf(endpoint: Endpoint, body: JobFields): Promise<LineOptions> {
  const options: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(lineOptionFields)) {
    const value = body[name as JobField];
    const isOff = value === false && schema.safeParse(true).success;
    const { error } = schema.safeParse(isOff ? undefined : (value ?? undefined));
    if (error !== undefined) throw wrong(`The field ${name} ${error.issues[0]?.message}`).ofField(name);
    if (value !== undefined && value !== null && !isOff) options[name] = value;
  }
  await requestJobSteps(endpoint, options, typeof body.schedule === 'string' ? 'schedule' : 'job');
  return options;
}

/** Parses a job's name; undefined if empty. Throws `invalid_parameter`. */
function nameOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const name = typeof value === 'string' ? value.trim() : null;
  if (name === null || name.length > maxJobNameLength || /\p{Cc}/u.test(name)) {
    throw wrong(`The field name must be one line of at most ${maxJobNameLength} characters.`);
  }
  return name === '' ? undefined : name;
}

function webhookOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > maxWebhookUrlLength || !URL.canParse(value)) {
    throw wrong('The field webhook_url must be an https URL of at most 2,048 characters.');
  }
  if (isBucketAddress(value)) {
    const kind = kindOfName(parseBucketAddress(value).key);
    if (fileKinds.some((one) => one === kind)) return value;
    throw wrong(
      `The object in webhook_url must have one of these extensions: ${endingsOf(fileKinds).join(', ')}.`,
    );
  }
  const url = new URL(value);
  if (url.protocol !== 'https:') throw new ExtractError('webhook_url_not_https');
  if (url.username !== '' || url.password !== '') {
    throw wrong('The field webhook_url must not contain a user name or password.');
  }
  return value;
}

/** The unparsed fields of a job; inputs as `InputTexts`. */
export type JobFields = { readonly [Field in JobField]?: unknown };

/** Bytes of inputs to hash before other work runs. */
const bytesPerTurn = 256 * 1024;

const gapsChecked = 50;

/** Parses the timetable of a recurring job. Throws `invalid_parameter`. */
function scheduleOf(value: unknown, timezone: string): Timetable | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > 100) {
    throw wrong('The field schedule must be a string such as 6h, 1d or "0 6 * * *".');
  }
  const timetable = parseTimetable(value, timezone);
  // Any start will do, because a timetable repeats.
  let at = timetable.next(0, 0);
  for (let gap = 0; gap < gapsChecked; gap += 1) {
    const next = timetable.next(at, 0);
    if (next - at < minScheduleGap) throw wrong('A schedule can run at most every 15 minutes.');
    at = next;
  }
  return timetable;
}

/**
 * Validates the fields of an account's job, whose inputs are valid. Rejects `missing_parameter`, `invalid_parameter`,
 * `endpoint_not_found`, `webhook_url_not_https`. Large inputs take several turns of the event loop.
 */
export async function parseJobRequest(
  body: JobFields,
  endpoints: readonly Endpoint[],
  account: string,
): Promise<JobRequest> {
  const endpoint = endpointOf(body.endpoint, endpoints);
  const inputs = inputsOf(body.inputs);
  const name = await inField('name', () => nameOf(body.name));
  const webhookUrl = await inField('webhook_url', () => webhookOf(body.webhook_url));
  const timezone = await inField('timezone', () => parseTimeZone(body.timezone));
  const schedule = await inField('schedule', () => scheduleOf(body.schedule, timezone));
  if (schedule === undefined && body.timezone != null) {
    throw wrong('The field timezone requires a schedule. Add one, such as "monday 08:00".').ofField(
      'schedule',
    );
  }
  const notify = await inField('notify', () => parseNotify(body.notify));
  if (schedule === undefined && notify.length > 0) {
    throw wrong('The field notify requires a schedule. Add one, such as "6h".').ofField('schedule');
  }
  const options = await lineOptionsOf(endpoint, body);
  // Alerts link to their items.
  const lineOptions = notify.length === 0 ? options : { ...options, sources: true as const };
  const once = [endpoint.path, webhookUrl ?? null];
  const withSchedule = schedule === undefined ? once : [...once, schedule.text];
  const zoneField = timezone === defaultZone ? {} : { timezone };
  const extras = {
    ...(name === undefined ? {} : { name }),
    ...lineOptions,
    ...zoneField,
    ...(notify.length === 0 ? {} : { notify }),
  };
  // Requests without a name and options keep the digests from before these fields existed.
  const about = Object.keys(extras).length === 0 ? withSchedule : [...withSchedule, extras];
  const digest = createHash('sha256').update(JSON.stringify(about));
  let bytes = 0;
  for (const input of inputs) {
    digest.update('\n').update(input);
    bytes += input.length;
    if (bytes < bytesPerTurn) continue;
    bytes = 0;
    await accountTurns.next(account);
  }
  return {
    endpoint,
    name,
    inputs,
    webhookUrl,
    schedule,
    timezone,
    notify,
    lineOptions,
    digest: digest.digest('base64url'),
  };
}
