/** The import rules of ARCHITECTURE.md, and no circular imports. `npm run check` enforces them. */

const faces = '^src/faces/(cli|server|mcp|dashboard)/';
const stores = '/(sqlite|postgres)/';
const connecting = '(^|/)node_modules/undici/|^(https?|http2|net|tls|dgram)$';

/** Files that assemble stores, and the few others that depend on SQLite itself. */
const namesStores = [
  '^lib/(services|preload|cache/open-cache)[.]ts$',
  '^src/compose/',
  // The operating system's file locks, which SQLite provides.
  '^lib/runtime/file-lock[.]ts$',
  // Checks the native module.
  '^src/faces/doctor/(check-program|version-details)[.]ts$',
  // The index of an archive's records: a private SQLite file.
  '^src/files/evidence/(evidence-reader|evidence-writer|index-segment|write-wacz)[.]ts$',
  // A backup copies and checks the stores' files.
  '^src/files/backup/store-files[.]ts$',
  // SQLite as a results format.
  '^src/files/result-files/write-file[.]ts$',
];

/** Programs that use HTTP, or only parse addresses. */
const speaksHttp = [
  '^src/faces/server/',
  '^src/service/(jobs/webhooks|accounts/(mail|packs))/',
  '^src/compose/listen[.]ts$',
  // Receives webhooks.
  '^src/faces/cli/jobs/listen[.]ts$',
  // Serves the tools over HTTP inside the server.
  '^src/faces/mcp/served-host[.]ts$',
  // These only parse addresses.
  '^src/service/accounts/sign-in/network-of[.]ts$',
  '^src/config/(server-config|check-settings)[.]ts$',
];

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const forbidden = [
  rule('no circles', 'No file imports itself through others.', {}, { circular: true }),
  rule('found', 'An import leads to a file or an installed package.', {}, { couldNotResolve: true }),
  rule('library', 'The library imports no program.', { path: '^lib/' }, { path: '^src/' }),
  rule(
    'one platform',
    'A platform imports what readers need, and no other platform.',
    { path: '^lib/platforms/([^/]+)/' },
    {
      path: '^(lib|node_modules)/',
      pathNot:
        '^lib/platforms/$1/|^lib/(read|params|errors|routes)/|^lib/web/page-source|^lib/(endpoint|object|object-fields|endpoint-function|person|subject-reader|volatile)[.]|node_modules/zod/',
    },
  ),
  rule(
    'pure reading',
    'Readers use no network, no clock and no files.',
    { path: '^lib/(read|platforms)/' },
    { dependencyTypes: ['core'], pathNot: '^(node:)?(buffer|util|crypto)$' },
  ),
  rule(
    'readers are independent',
    'Converters import only other converters and HTML parsers.',
    { path: '^lib/read/' },
    {
      path: '^(lib|node_modules)/',
      pathNot:
        '^lib/(read|errors)/|^lib/web/page-source|node_modules/(cheerio|css-select|domhandler|htmlparser2|entities)/',
    },
  ),
  rule(
    'one access',
    'Only lib/web connects to a platform, and only the remote mode to a server.',
    { path: '^lib/', pathNot: '^lib/(web|remote|client)/' },
    { path: connecting },
  ),
  rule(
    'who connects',
    'Only the server, and what sends to users’ receivers, open connections.',
    { path: '^src/', pathNot: speaksHttp },
    { path: connecting },
  ),
  rule(
    'separate faces',
    'Command line, server, tools and dashboard meet only in src/compose.',
    { path: faces },
    { path: faces, pathNot: '^src/faces/$1/' },
  ),
  rule(
    'faces below compose',
    'Only the command line starts programs; the doctor uses the checks of the stores.',
    { path: '^src/', pathNot: '^src/(compose|faces/cli|faces/doctor)/' },
    { path: '^src/compose/' },
  ),
  rule(
    'layers',
    'Service, files and shared code import no face.',
    { path: '^src/(service|files|lines|output|config)/' },
    { path: '^src/faces/' },
  ),
  rule(
    'service uses some files',
    'A server shares result formats, evidence, histories and buckets with commands, and nothing else of src/files.',
    { path: '^src/service/' },
    {
      path: '^src/files/',
      pathNot: '^src/files/(evidence|result-files|history|bucket)/',
    },
  ),
  rule(
    'files below service',
    'Only a watch imports a timetable.',
    { path: '^src/files/' },
    { path: '^src/service/', pathNot: '^src/service/schedule/' },
  ),
  rule(
    'results below batch',
    'A results format imports no batch.',
    { path: '^src/files/result-files/' },
    { path: '^src/files/', pathNot: '^src/files/result-files/' },
  ),
  rule(
    'usage below accounts',
    'Accounts query usage, never the reverse.',
    { path: '^src/service/usage/' },
    { path: '^src/service/', pathNot: '^src/service/usage/' },
  ),
  rule(
    'shared code',
    'Configuration and output import no layer above.',
    { path: '^src/(output|config)/' },
    { path: '^src/(service|files|compose)/', pathNot: '^src/service/accounts/api-key[.]ts$' },
  ),
  rule(
    'no database in pages',
    'Faces and batches use ports.',
    { path: [faces, '^src/(output|files/batch-files)/'] },
    { path: `${stores}|^lib/database/|node_modules/(better-sqlite3|pg|pg-boss)/` },
  ),
  rule(
    'stores are named once',
    'Only the files that assemble stores name SQLite or PostgreSQL.',
    { path: '^(lib|src)/', pathNot: [stores, ...namesStores] },
    { path: stores, pathNot: 'node_modules/' },
  ),
  rule(
    'one SQLite driver',
    'Only lib/database/sqlite/driver.ts imports it.',
    { path: '^(lib|src)/', pathNot: '^lib/database/sqlite/driver[.]ts$' },
    { path: 'node_modules/(better-sqlite3|@types/better-sqlite3|sqlite3)/|^(node:)?sqlite$' },
  ),
  rule(
    'one PostgreSQL driver',
    'Only lib/database/postgres/ imports it.',
    { path: '^(lib|src)/', pathNot: '^lib/database/postgres/' },
    { path: 'node_modules/(@types/)?(pg|pg-pool|pg-cursor|pg-native|postgres)/' },
  ),
  rule(
    'one job engine',
    'Only jobs in PostgreSQL use pg-boss.',
    { path: '^(lib|src)/', pathNot: '^src/service/jobs/postgres/' },
    { path: 'node_modules/pg-boss/' },
  ),
  rule(
    'no catch-all files',
    'A file is named after its one concept.',
    { path: '^(lib|src)/' },
    { path: '^(lib|src)/.*\\b(utils?|helpers?|misc|common)\\b' },
  ),
];

module.exports = {
  forbidden,
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    // Types count as imports: a face that uses another's type depends on it.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
