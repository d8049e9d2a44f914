// The bill of materials: bundled packages, and those installed with the package.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string | undefined;
}

interface Manifest extends Package {
  readonly description: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly license?: string; readonly dependencies?: object }>
  >;
}

/** A heading of THIRD-PARTY.txt: name, version and licence of a bundled package. */
const heading = /^((?:@[^\s/]+\/)?[^\s/@]+) (\d+\.\d+\.\d+\S*) \((.+)\)$/gm;

/** Returns the bundled packages: `[{ name, version, license }]`, as listed in THIRD-PARTY.txt. */
function bundledPackages(thirdParty: string): readonly Package[] {
  return [...thirdParty.matchAll(heading)].map(([, name = '', version = '', license]) => ({
    name,
    version,
    license,
  }));
}

/** Returns the packages installed with it, in the lock's versions: `[{ name, version, license }]`. */
function installedPackages(manifest: Manifest, lock: Lock): readonly Package[] {
  const packages = new Map<string, Package>();
  const visit = (name: string) => {
    const entry = lock.packages[`node_modules/${name}`];
    if (entry === undefined || packages.has(name)) return;
    packages.set(name, { name, version: entry.version, license: entry.license });
    for (const dependency of Object.keys(entry.dependencies ?? {})) visit(dependency);
  };
  for (const name of Object.keys(manifest.dependencies)) visit(name);
  return [...packages.values()];
}

/** Returns a licence by its SPDX name, a choice of several such as `(MIT OR CC0-1.0)`, or the package's own words. */
function licenseOf(text: string): Models.License {
  if (SPDX.isSupportedSpdxId(text)) return new Models.SpdxLicense(text);
  return / (?:OR|AND) /.test(text) ? new Models.LicenseExpression(text) : new Models.NamedLicense(text);
}

function componentOf(
  { name, version, license }: Package,
  type = Enums.ComponentType.Library,
): Models.Component {
  const baseName = name.split('/').at(-1) ?? name;
  const component = new Models.Component(type, baseName, { version, scope: Enums.ComponentScope.Required });
  if (baseName !== name) component.group = name.slice(0, -baseName.length - 1);
  component.bomRef.value = `${name}@${version}`;
  component.purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  if (license !== undefined) component.licenses.add(licenseOf(license));
  return component;
}

/**
 * Returns the bill of a version as CycloneDX JSON, without time and serial number, so that equal packages have equal
 * bills.
 */
export function billOfMaterials(root: string, thirdParty: string): string {
  const readJson = (name: string): unknown => JSON.parse(readFileSync(path.join(root, name), 'utf8'));
  const manifest = readJson('package.json') as Manifest;
  const installed = installedPackages(manifest, readJson('package-lock.json') as Lock);
  const bom = new Models.Bom();
  const application = componentOf(manifest, Enums.ComponentType.Application);
  application.description = manifest.description;
  bom.metadata.component = application;
  const packages = new Map(
    [...bundledPackages(thirdParty), ...installed].map((one) => [`${one.name}@${one.version}`, one]),
  );
  for (const one of packages.values()) {
    const component = componentOf(one);
    bom.components.add(component);
    application.dependencies.add(component.bomRef);
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return serializer.serialize(bom, { sortLists: true, space: 2 });
}
