import type { Command } from 'commander';
import * as z from 'zod';
import { type Config, readConfig } from '../../../../lib/config.js';
import type { Environment } from '../../../../lib/config-values.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { contractPath } from '../../../../lib/platforms.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { nearestPaths, suggestion } from '../../../../lib/runtime/nearest-words.js';
import { readServerConfig, serverSettings } from '../../../config/server-config.js';
import { readableEnvironment, secretValues } from '../../../config/settings.js';
import { shownSettings } from '../../../config/shown-settings.js';
import { type Finding, worstOf } from '../../doctor/finding.js';
import type { RouteRow } from '../../doctor/live.js';
import { type Context, configOf } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { findingLines } from '../finding-lines.js';
import { addListOptions, outputOf } from '../output.js';
import { printable } from '../printable.js';
import { answerWriter } from '../reply.js';
import { wrapText } from '../terminal-text.js';
import { UsageError } from '../usage-error.js';

const finding = z.strictObject({
  check: z.string(),
  status: z.enum(['ok', 'warning', 'failed']),
  message: z.string(),
  next: z.string().nullable(),
});

const routeRow = z.strictObject({
  endpoint: z.string(),
  route: z.string(),
  outcome: z.string(),
  code: z.string().nullable(),
  filled: z.int(),
  fields: z.int(),
  requests: z.int(),
  bytes: z.int(),
  seconds: z.number(),
  source: z.string(),
  problems: z.array(z.string()),
});

/** The columns that fit a terminal of 80. */
const routeColumns = ['endpoint', 'route', 'outcome', 'bytes', 'seconds', 'code'];

/** Placeholders: if both are set, the login, which may be damaged, is not read. */
const withoutLogin = { baseUrl: 'http://localhost/v1', apiKey: 'none' };

async function configInForce(context: Context): Promise<Config> {
  const { home } = await configOf(context, withoutLogin);
  return readConfig({ home });
}

/** Returns the settings in effect, and an environment without the invalid ones. */
async function readableConfig(
  context: Context,
): Promise<{ readonly config: Config; readonly env: Environment }> {
  const env = readableEnvironment();
  try {
    return { config: await configInForce(context), env };
  } catch (cause) {
    if (!(cause instanceof ExtractError)) throw cause;
    return { config: readConfig({}, env), env };
  }
}

function chosenEndpoints(all: readonly Endpoint[], args: readonly string[]): readonly Endpoint[] {
  const names = args.map(contractPath);
  const unknown = names.find((name) => !all.some(({ path, platform }) => path === name || platform === name));
  if (unknown !== undefined) {
    throw new UsageError(
      'invalid_parameter',
      `Unknown endpoint ${JSON.stringify(unknown)}.`,
      suggestion(
        nearestPaths(unknown, [...new Set(all.flatMap(({ path, platform }) => [path, platform]))]),
      ) || `Use one such as ${all[0]?.path}, or a platform; “extract endpoints” lists them.`,
    );
  }
  return names.length === 0
    ? all
    : all.filter(({ path, platform }) => names.includes(path) || names.includes(platform));
}

interface DoctorOptions {
  readonly live?: true | readonly string[];
  readonly strict?: boolean;
  readonly whole?: boolean;
  readonly canaries?: string;
  readonly save?: string;
  readonly bundle?: string;
  readonly pages?: string;
}

function endWith(worst: Finding['status'], strict = false): void {
  if (worst === 'failed') throw new ExitStatusError(5);
  if (worst === 'warning' && strict) throw new ExitStatusError(1);
}

async function runDoctorLive(command: Command, context: Context, options: DoctorOptions): Promise<void> {
  const reply = answerWriter(command, context, routeRow, true, routeColumns);
  const output = outputOf(command.opts(), context);
  const { endpoints } = context;
  const selection = chosenEndpoints(endpoints, options.live === true ? [] : (options.live ?? []));
  const { runLive } = await import('../../doctor/live.js');
  const config = await configInForce(context);
  const canaries = options.canaries ?? readServerConfig().canaries;
  const { save } = options;
  const { rows, outcomes } = await runLive({
    ...{
      config: { ...config, baseUrl: undefined, apiKey: undefined },
      endpoints,
      selected: selection,
      canaries,
      save,
    },
    signal: context.signal,
    onRow({ endpoint, route, outcome, seconds }) {
      if (!output.showNotes) return;
      void context.stderr.write(`${endpoint} ${route}: ${outcome}, ${seconds} s\n`).catch(() => undefined);
    },
  });
  await reply({ data: rows });
  await explain(rows, context, output.showNotes);
  const isFine = outcomes.every((outcome) => outcome === 'ok');
  const worst = isFine
    ? rows.every(({ outcome }) => outcome === 'ok' || outcome === 'unasked')
      ? 'ok'
      : 'warning'
    : outcomes.every((outcome) => outcome === 'ok' || outcome === 'incomplete')
      ? 'warning'
      : 'failed';
  endWith(worst, options.strict);
}

/** Explains failed answers below the table, which has no room for it. */
async function explain(rows: readonly RouteRow[], { stderr }: Context, show: boolean): Promise<void> {
  if (!show) return;
  const lines = rows.flatMap(({ endpoint, route, problems }) =>
    problems.map((problem) => `${endpoint} ${route}: ${problem}\n`),
  );
  await stderr.write(await wrapText(printable(lines.join('')), stderr));
}

async function runDoctorChecks(command: Command, context: Context, options: DoctorOptions): Promise<void> {
  const reply = answerWriter(command, context, finding, true);
  const output = outputOf(command.opts(), context);
  const { endpoints } = context;
  const [{ runChecks }, { config, env }] = await Promise.all([
    import('../../doctor/run-checks.js'),
    readableConfig(context),
  ]);
  const findings = await runChecks({
    ...{ config, endpoints, canaries: options.canaries ?? serverSettings.canaries.read(env) },
    isFullCheck: options.whole === true,
    now: systemClock.now(),
  });
  if (options.bundle !== undefined) {
    const { writeBundle } = await import('../../doctor/bundle.js');
    const parts = { home: config.home, findings, settings: shownSettings(config, endpoints, env) };
    await writeBundle(options.bundle, { ...parts, pages: options.pages, secrets: secretValues() });
    await context.stderr.write(
      `${options.bundle} contains what a bug report needs. Review it before you share it.\n`,
    );
  }
  if (output.format === 'table' && output.fields === null) {
    await context.stdout.write(await findingLines(findings, context.stdout, output.color));
  } else await reply({ data: findings });
  endWith(worstOf(findings), options.strict);
}

/** `extract doctor`: finds what prevents calls, on this machine and at the platforms. */
export function defineCommand(command: Command, context: Context): void {
  command
    .option(
      '--live [endpoints...]',
      'test each route of each endpoint with a request whose answer is known; free',
    )
    .option('--canaries <file>', 'use these requests instead of the default ones (EXTRACT_CANARIES)')
    .option('--save <dir>', 'with --live: save the table and all pages to this folder, without cookies')
    .option('--strict', 'exit with 1 if there are warnings')
    .option('--whole', 'check the complete ledger and cache, whatever their size')
    .option('--bundle <file>', 'write a bug report to a new file, without secrets')
    .option('--pages <dir>', 'with --bundle: add these saved pages');
  addListOptions(command).action(async () => {
    const options = command.opts() as DoctorOptions;
    const isLive = options.live !== undefined;
    if (isLive && options.bundle !== undefined) {
      throw new UsageError('conflicting_parameters', 'Give either --live or --bundle, not both.');
    }
    if (!isLive && options.save !== undefined) {
      throw new UsageError('missing_parameter', '--save requires --live.');
    }
    if (options.pages !== undefined && options.bundle === undefined) {
      throw new UsageError('missing_parameter', '--pages requires --bundle.');
    }
    await (isLive ? runDoctorLive : runDoctorChecks)(command, context, options);
  });
}
