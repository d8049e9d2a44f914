// Describes a version's executables once, and writes that description in the format of each package manager.

const name = 'public-extract';

export interface Release {
  readonly version: string;
  readonly summary: string;
  readonly homepage: string;
  readonly license: string;
  /** Base URL of the version's files. */
  readonly base: string;
  /** By name: the SHA-256 of each file. */
  readonly digests: ReadonlyMap<string, string>;
}

function executable({ base, digests }: Release, target: string) {
  const file = `extract-${target}${target.startsWith('win-') ? '.exe' : ''}`;
  const sha256 = digests.get(file);
  if (sha256 === undefined) throw new Error(`there is no executable for ${target}`);
  return { url: `${base}/${file}`, sha256 };
}

function formula(release: Release) {
  const block = (os: string, arm: string, intel: string) => {
    const [first, second] = [executable(release, arm), executable(release, intel)];
    return `  on_${os} do
    on_arm do
      url "${first.url}"
      sha256 "${first.sha256}"
    end
    on_intel do
      url "${second.url}"
      sha256 "${second.sha256}"
    end
  end`;
  };
  return `class PublicExtract < Formula
  desc "${release.summary}"
  homepage "${release.homepage}"
  version "${release.version}"
  license "${release.license}"

${block('macos', 'darwin-arm64', 'darwin-x64')}
${block('linux', 'linux-arm64', 'linux-x64')}

  def install
    bin.install Dir["extract-*"].first => "extract"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/extract --version")
  end
end
`;
}

function scoop(release: Release) {
  const { url, sha256 } = executable(release, 'win-x64');
  const manifest = {
    version: release.version,
    description: release.summary,
    homepage: release.homepage,
    license: release.license,
    architecture: { '64bit': { url: `${url}#/extract.exe`, hash: sha256 } },
    bin: 'extract.exe',
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Winget, on Windows: three files, each naming the others by package and version. */
function winget(release: Release) {
  const { url, sha256 } = executable(release, 'win-x64');
  const head = `PackageIdentifier: PublicExtract.Extract\nPackageVersion: ${release.version}\n`;
  const tail = (type: string) => `ManifestType: ${type}\nManifestVersion: 1.6.0\n`;
  return {
    'PublicExtract.Extract.yaml': `${head}DefaultLocale: en-US\n${tail('version')}`,
    'PublicExtract.Extract.installer.yaml': `${head}InstallerType: portable
Commands:
- extract
Installers:
- Architecture: x64
  InstallerUrl: ${url}
  InstallerSha256: ${sha256.toUpperCase()}
${tail('installer')}`,
    'PublicExtract.Extract.locale.en-US.yaml': `${head}PackageLocale: en-US
Publisher: ${name}
PackageName: extract
PackageUrl: ${release.homepage}
License: ${release.license}
ShortDescription: ${JSON.stringify(release.summary)}
${tail('defaultLocale')}`,
  };
}

function pkgbuild(release: Release) {
  const [x64, arm64] = [executable(release, 'linux-x64'), executable(release, 'linux-arm64')];
  return `pkgname=${name}-bin
pkgver=${release.version}
pkgrel=1
pkgdesc="${release.summary}"
arch=(x86_64 aarch64)
url="${release.homepage}"
license=(${release.license})
provides=(${name})
conflicts=(${name})
# The package lies behind the program.
options=(!strip)
source_x86_64=("extract-\${pkgver}::${x64.url}")
source_aarch64=("extract-\${pkgver}::${arm64.url}")
sha256sums_x86_64=(${x64.sha256})
sha256sums_aarch64=(${arm64.sha256})

package() {
  install -Dm755 "extract-\${pkgver}" "\${pkgdir}/usr/bin/extract"
}
`;
}

/** Returns the files of all package managers, by path below the release's folder. */
export function packageManagerFiles(release: Release): Readonly<Record<string, string>> {
  const files: Record<string, string> = {
    'homebrew/public-extract.rb': formula(release),
    'scoop/public-extract.json': scoop(release),
    'aur/PKGBUILD': pkgbuild(release),
  };
  for (const [file, text] of Object.entries(winget(release))) files[`winget/${file}`] = text;
  return files;
}
