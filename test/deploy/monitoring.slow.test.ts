// The samples of Prometheus and Grafana name only what a running server gives.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fetch } from 'undici';
import { readConfig } from '../../lib/config.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { serve } from '../../src/compose/serve.js';
import { readHostingConfig } from '../../src/config/hosting-config.js';
import { readServerConfig } from '../../src/config/server-config.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const fileOf = (name: string) => path.join(packageRoot(), 'deploy', name);
const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' });
const skip = promtool('--version').error === undefined ? false : 'promtool is not installed';

const rules = readFileSync(fileOf('prometheus-rules.yaml'), 'utf8')
  .split(/^ +- alert: /m)
  .slice(1);
const dashboard = JSON.parse(readFileSync(fileOf('grafana-dashboard.json'), 'utf8')) as {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
};
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** Names of metrics in expressions of PromQL; `up` is Prometheus's own. */
const namesIn = (expressions: readonly string[]) =>
  new Set(expressions.flatMap((one) => one.match(/\b(?:extract|nodejs|process)_[a-z0-9_]+/g) ?? []));

/** The names that `/metrics` of a fresh server gives. */
async function servedNames(): Promise<ReadonlySet<string>> {
  const env = { EXTRACT_HOME: path.join(folder, 'home'), EXTRACT_PORT: '0', EXTRACT_METRICS_OPEN: 'true' };
  const running = await serve({
    config: readConfig({}, env),
    server: readServerConfig({ port: 0, metricsOpen: true }, env),
    hosting: readHostingConfig(env),
    log: { write: () => undefined },
  });
  try {
    const answer = await fetch(`${running.url}/metrics`);
    assert.equal(answer.status, 200);
    const text = await answer.text();
    // Those that carry no sample yet are declared all the same; a histogram has its parts.
    return new Set(
      text.split('\n').flatMap((line) => {
        const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
        if (name === undefined) return [];
        return type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
      }),
    );
  } finally {
    await running.stop();
  }
}

describe('the samples for monitoring', () => {
  test('only use metrics that a server exports, and cover all of ours', async () => {
    const served = await servedNames();
    const used = namesIn([...queries, ...rules]);
    assert.ok(used.size > 15);
    assert.deepEqual(
      [...used].filter((name) => !served.has(name)),
      [],
    );
    const ownMetrics = [...served].filter(
      (name) => name.startsWith('extract_') && !/_(sum|count|bucket)$/.test(name),
    );
    const looked = [...used].map((name) => name.replace(/_bucket$/, ''));
    assert.deepEqual(
      ownMetrics.filter((name) => !looked.includes(name) && !name.startsWith('extract_browser')),
      [],
    );
  });

  test('are rules and queries that Prometheus understands', { skip }, () => {
    const { status, stdout, stderr } = promtool('check', 'rules', fileOf('prometheus-rules.yaml'));
    assert.equal(status, 0, stderr);
    assert.match(stdout, new RegExp(`SUCCESS: ${rules.length} rules`));
    // The queries of the dashboard as rules, with the variable that Grafana fills in.
    const recorded = queries.map(
      (expr, at) =>
        `      - { record: 'panel:${at}', expr: ${JSON.stringify(expr.replaceAll('$instance', '.*'))} }`,
    );
    const file = path.join(folder, 'queries.yaml');
    writeFileSync(file, `groups:\n  - name: panels\n    rules:\n${recorded.join('\n')}\n`);
    const checked = promtool('check', 'rules', file);
    assert.equal(checked.status, 0, checked.stderr);
  });
});
