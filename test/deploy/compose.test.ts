// The sample of servers that share a database asks for what the program, the package and the image have.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { readConfig } from '../../lib/config.js';
import { databasePackages } from '../../lib/database/postgres/connect.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { settings } from '../../src/config/settings.js';

const read = (name: string) => readFileSync(path.join(packageRoot(), name), 'utf8');

interface Service {
  readonly image?: string;
  readonly build?: { readonly dockerfile: string; readonly args: { readonly PACKAGES: string } };
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>;
  readonly volumes?: readonly string[];
}

const sample = parse(read('deploy/compose-postgres.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};
const services = Object.entries(sample.services);
const ours = services.filter(([, { build }]) => build !== undefined);

describe('the compose file for PostgreSQL', () => {
  test('installs the packages that the setting needs, in versions that fit', () => {
    const { peerDependencies } = JSON.parse(read('package.json')) as {
      readonly peerDependencies: Readonly<Record<string, string>>;
    };
    const [, { build } = {} as Service] = ours[0] ?? [];
    assert.match(read(build?.dockerfile ?? ''), /npm install (?:.*\\\n)*.*\$\{PACKAGES\}/);
    assert.equal(build?.args.PACKAGES, databasePackages);
    for (const file of ['docs/scale.md', 'docs/hosting.md'])
      assert.ok(read(file).includes(` ${databasePackages}`), file);
    for (const packageName of databasePackages.split(' ')) {
      const [name = '', version = ''] = packageName.split('@');
      assert.match(peerDependencies[name] ?? '', new RegExp(`^[~^]${version.replace('.', '\\.')}\\.`));
    }
  });

  test('sets what there is to be set, and leaves the database enough connections', () => {
    const settingNames = new Set(settings.map(({ name }) => name));
    let connections = 0;
    for (const [name, { environment }] of ours) {
      for (const setting of Object.keys(environment))
        assert.ok(settingNames.has(setting), `${name}: ${setting}`);
      connections += Number(environment.EXTRACT_DATABASE_CONNECTIONS);
    }
    const [, most] = /max_connections=(\d+)/.exec(sample.services.postgres?.command?.join(' ') ?? '') ?? [];
    assert.ok(Number(most) >= connections + 20, `${most} for ${connections}`);
  });

  test('names services and volumes that are there', () => {
    for (const [, { depends_on = [], volumes = [] }] of services) {
      const others = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const other of others) assert.ok(other in sample.services, other);
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        assert.ok(source.startsWith('./') || source in sample.volumes, source);
      }
    }
    const upstreams = sample.services.proxy?.environment.EXTRACT_UPSTREAM?.split(' ') ?? [];
    assert.deepEqual(upstreams, ['server-1:8787', 'server-2:8787']);
    for (const upstream of upstreams) assert.ok(upstream.replace(/:.*/, '') in sample.services, upstream);
  });
});

describe('the proxies', () => {
  test('wait for longer than a call may take', () => {
    const { timeoutMs } = readConfig({}, {});
    for (const [file, pattern] of [
      ['deploy/Caddyfile', /response_header_timeout (\d+)s/],
      ['deploy/nginx.conf', /proxy_read_timeout (\d+)s/],
    ] as const) {
      const [, seconds] = pattern.exec(read(file)) ?? [];
      assert.ok(Number(seconds) * 1000 > timeoutMs, `${file}: ${seconds} s for calls of ${timeoutMs} ms`);
    }
  });
});
