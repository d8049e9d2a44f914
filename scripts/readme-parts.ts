import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Endpoint } from '../lib/endpoint.js';
import { endpoints } from '../lib/endpoints.js';
import { kindOf } from '../lib/params/describe.js';
import { packageRoot } from '../lib/runtime/package-root.js';
import { defaultRetention } from '../src/config/retention-config.js';
import { settingGroups } from '../src/config/settings.js';
import { exitStatuses } from '../src/faces/cli/program-help.js';
import { flagOf } from '../src/faces/cli/step-options.js';
import { retainedData } from '../src/faces/doctor/retained-data.js';
import { runKinds } from '../src/lines/step.js';
import { steps } from '../src/lines/steps.js';
import { routesMarkdown } from '../src/output/route-rows.js';
import { defaultCanaries } from '../src/service/health/default-canaries.js';
import { routesAlone } from '../src/service/health/run-canaries.js';
import { printObjects } from './printed.js';

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const shared = new Set(['limit', 'cursor', 'fresh', 'demo', 'sources']);

function parameters(endpoint: Endpoint): string {
  const endpointParams = Object.keys(endpoint.params).filter((name) => !shared.has(name));
  const pair: readonly string[] = endpoint.exactlyOne ?? [];
  const rest = endpointParams.filter((name) => !pair.includes(name));
  return [
    ...(pair.length > 0 ? [pair.map((name) => `\`${name}\``).join(' or ')] : []),
    ...rest.map((name) => `\`${name}\``),
  ].join(', ');
}

function pageSize(endpoint: Endpoint): string {
  const limit = endpoint.params.limit;
  return limit === undefined ? '' : `1..${kindOf(limit).maximum}`;
}

const sampleCall = ['tiktok', 'profile', 'mira.kettle', '--demo'];

/** Returns a command in a pipe, with its output. */
async function piped(): Promise<string> {
  const args = [...sampleCall, '--json', '--fields', 'username,follower_count,bio_url'];
  const output = await printObjects(args, { tty: false, columns: 100 });
  return ['```', `$ extract ${args.join(' ')}`, output.trimEnd(), '```'].join('\n');
}

/** Returns the sample profile, as printed on a terminal of 100 columns. */
async function output(): Promise<string> {
  const args = sampleCall;
  const text = await printObjects(args, { tty: true, columns: 100 });
  return ['```', `$ extract ${args.join(' ')}`, text.trimEnd(), '```'].join('\n');
}

/** Returns the list of all commands, on a terminal of 100 columns. */
async function commands(): Promise<string> {
  const text = await printObjects(['--help', '--all'], { tty: true, columns: 100 });
  return ['```', text.trimEnd(), '```'].join('\n');
}

/** Returns the requests of `extract doctor --live`, in order: what is requested from each platform, and where. */
function plan(): string {
  const rows = endpoints.flatMap((endpoint) => {
    const canary = defaultCanaries.find((one) => one.endpoint === endpoint.path);
    const args = Object.entries(canary?.params ?? {})
      .filter(([name]) => name !== 'limit' && name !== 'language')
      .map(([, value]) => value)
      .join(', ');
    const { surfaces } = endpoint.site;
    return routesAlone(endpoint, endpoints).map(({ name, surface }) => [
      ...[`\`${endpoint.path}\``, `\`${name}\``, args, surface],
      `${(surfaces[surface]?.ms ?? 0) / 1000} s`,
    ]);
  });
  return table(['Endpoint', 'Route', 'About', 'Surface', 'Pace'], rows);
}

/** Returns the table of steps, with their options and the commands and settings that accept them. */
function stepsTable(): string {
  const list = new Intl.ListFormat('en');
  const rows = steps.flatMap(({ options, kinds: at }) =>
    Object.entries(options).map(([name, { value, help }]) => {
      const flag = `\`${flagOf(name)}${value === undefined ? '' : ` <${value}>`}\``;
      return [flag, `${help}.`, list.format(at.map((kind) => runKinds[kind]))];
    }),
  );
  return table(['Option', 'What it does', 'For'], rows);
}

/** Returns the generated parts by file and name. */
export async function generatedParts(): Promise<Record<string, Record<string, string>>> {
  return {
    'README.md': {
      terminal: await output(),
      json: await piped(),
    },
    'docs/batch.md': { steps: stepsTable() },
    'docs/commands.md': {
      commands: await commands(),
    },
    'docs/errors-and-retries.md': {
      exits: table(
        ['Exit status', 'Meaning'],
        exitStatuses.map(([status, meaning]) => [String(status), meaning]),
      ),
    },
    'docs/endpoints.md': {
      endpoints: [
        table(
          ['Endpoint', 'What it returns', 'Parameters', 'Page', 'Credits', 'Cached for'],
          endpoints.map((endpoint) => [
            `\`${endpoint.path}\``,
            endpoint.summary,
            parameters(endpoint),
            pageSize(endpoint),
            String(endpoint.credits),
            `${endpoint.cacheSeconds / 3600} h`,
          ]),
        ),
        'Prices are credits per call. Cached answers cost the same.',
      ].join('\n\n'),
    },
    'docs/routes.md': {
      routes: endpoints
        .map((endpoint) => `## ${endpoint.path}\n\n${endpoint.title}.\n\n${routesMarkdown(endpoint)}`)
        .join('\n\n'),
    },
    'docs/health.md': { plan: plan() },
    'docs/action.md': {
      action: `\`\`\`yaml\n${readFileSync(path.join(packageRoot(), 'docs/weekly-batch.yaml'), 'utf8')}\`\`\``,
    },
    'docs/data-protection.md': {
      kept: table(
        ['Data', 'Kept', 'Setting, or why there is none'],
        retainedData(defaultRetention, endpoints).map(({ data, until, setting, reason }) => [
          `${data.charAt(0).toUpperCase()}${data.slice(1)}`,
          `${until.charAt(0).toUpperCase()}${until.slice(1)}`,
          setting === null ? (reason ?? '') : `\`${setting}\``,
        ]),
      ),
    },
    'docs/settings.md': {
      settings: settingGroups
        .map(({ title, rows }) => {
          const cells = rows.map(({ name, default: fallback, text }) => [`\`${name}\``, fallback, text]);
          return `## ${title}\n\n${table(['Setting', 'Default', 'Meaning'], cells)}`;
        })
        .join('\n\n'),
    },
  };
}

/** Inserts each part into a text. Throws if a part has no markers in the text. */
export function replaceParts(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`There is no place for ${name}`);
    return `${text.slice(0, from + begin.length)}\n${part}\n${text.slice(to)}`;
  }, text);
}
