/**
 * Who may import whom: the arrows of ARCHITECTURE.md, and no circles. `npm run check` holds them.
 */

const faces = '^src/faces/(cli|server|mcp|dashboard)/';
const stores = '/(sqlite|postgres)/';
const connecting = '(^|/)node_modules/undici/|^(https?|http2|net|tls|dgram)$';

/** Files that put stores together, and the few others that stand on SQLite itself. */
const namesStores = [
  '^lib/(services|preload|cache/open-cache)[.]ts$',
  '^src/compose/',
  // The system's locks of files, which SQLite takes.
  '^lib/runtime/file-lock[.]ts$',
  // Checks the native module itself.
  '^src/faces/doctor/(check-program|version-details)[.]ts$',
  // Where the records of an archive lie: a file of SQLite's own that nobody else opens.
  '^src/files/evidence/(archive-reader|archive-writer|index-segment|write-wacz)[.]ts$',
  // How a backup copies and checks the files of the stores.
  '^src/files/backup/store-files[.]ts$',
  // SQLite as a format of results, as XLSX is.
  '^src/files/result-files/write-file[.]ts$',
];

/** Programs that speak HTTP, or name an address. */
const speaksHttp = [
  '^src/faces/server/',
  '^src/service/(jobs/webhooks|accounts/(mail|packs))/',
  '^src/compose/listen[.]ts$',
  // Takes the webhooks that it is sent.
  '^src/faces/cli/jobs/listen[.]ts$',
  // Serves the tools over HTTP, within the server.
  '^src/faces/mcp/served-host[.]ts$',
  // These parse addresses alone.
  '^src/service/accounts/sign-in/network-of[.]ts$',
  '^src/config/(server-config|check-settings)[.]ts$',
];

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const forbidden = [
  rule('no circles', 'No file imports itself by way of others.', {}, { circular: true }),
  rule('found', 'An import leads to a file or an installed package.', {}, { couldNotResolve: true }),
  rule('library', 'The library knows no program.', { path: '^lib/' }, { path: '^src/' }),
  rule(
    'one platform',
    'A platform knows what reading needs, and no other platform.',
    { path: '^lib/platforms/([^/]+)/' },
    {
      path: '^(lib|node_modules)/',
      pathNot:
        '^lib/platforms/$1/|^lib/(read|params|errors|routes)/|^lib/web/page-source|^lib/(endpoint|object|endpoint-function|person|subject-reader|volatile)[.]|node_modules/zod/',
    },
  ),
  rule(
    'pure reading',
    'Reading knows no network, no clock and no files.',
    { path: '^lib/(read|platforms)/' },
    { dependencyTypes: ['core'], pathNot: '^(node:)?(buffer|util|crypto)$' },
  ),
  rule(
    'reading stands alone',
    'Converters know nothing but other converters and the parsers of HTML.',
    { path: '^lib/read/' },
    {
      path: '^(lib|node_modules)/',
      pathNot:
        '^lib/(read|errors)/|^lib/web/page-source|node_modules/(cheerio|css-select|domhandler|htmlparser2|entities)/',
    },
  ),
  rule(
    'one door',
    'Only the web door connects to a platform, and the remote mode to a server.',
    { path: '^lib/', pathNot: '^lib/(web|remote|client)/' },
    { path: connecting },
  ),
  rule(
    'who connects',
    'Of the programs only the server, and what sends to receivers of a user, open connections.',
    { path: '^src/', pathNot: speaksHttp },
    { path: connecting },
  ),
  rule(
    'no face knows another',
    'Command line, server, tools and dashboard meet in src/compose.',
    { path: faces },
    { path: faces, pathNot: '^src/faces/$1/' },
  ),
  rule(
    'faces below compose',
    'Only the command line starts programs; the doctor takes the checks of the stores.',
    { path: '^src/', pathNot: '^src/(compose|faces/cli|faces/doctor)/' },
    { path: '^src/compose/' },
  ),
  rule(
    'storeys',
    'Service, files and what the faces share know no face.',
    { path: '^src/(service|files|lines|output|config)/' },
    { path: '^src/faces/' },
  ),
  rule(
    'service takes result files',
    'A server makes the same files of results, and archives, as a command, takes the same conditions, tells news, keeps histories and writes to buckets as they do, and knows nothing else of files.',
    { path: '^src/service/' },
    {
      path: '^src/files/',
      pathNot: '^src/files/(evidence|result-files|history|bucket)/',
    },
  ),
  rule(
    'files know no service',
    'A watch takes its timetable.',
    { path: '^src/files/' },
    { path: '^src/service/', pathNot: '^src/service/schedule/' },
  ),
  rule(
    'results below batch',
    'A format of results knows no batch.',
    { path: '^src/files/result-files/' },
    { path: '^src/files/', pathNot: '^src/files/result-files/' },
  ),
  rule(
    'usage below accounts',
    'Accounts ask usage, never the other way.',
    { path: '^src/service/usage/' },
    { path: '^src/service/', pathNot: '^src/service/usage/' },
  ),
  rule(
    'shared ground',
    'Configuration and output know no storey.',
    { path: '^src/(output|config)/' },
    { path: '^src/(service|files|compose)/', pathNot: '^src/service/accounts/api-key[.]ts$' },
  ),
  rule(
    'no page sees a database',
    'Faces and batches ask ports.',
    { path: [faces, '^src/(output|files/batch-files)/'] },
    { path: `${stores}|^lib/database/|node_modules/(better-sqlite3|pg|pg-boss)/` },
  ),
  rule(
    'stores are named once',
    'Only the files that put stores together name SQLite or PostgreSQL.',
    { path: '^(lib|src)/', pathNot: [stores, ...namesStores] },
    { path: stores, pathNot: 'node_modules/' },
  ),
  rule(
    'one driver of SQLite',
    'lib/database/sqlite/driver.ts alone imports it.',
    { path: '^(lib|src)/', pathNot: '^lib/database/sqlite/driver[.]ts$' },
    { path: 'node_modules/(better-sqlite3|@types/better-sqlite3|sqlite3)/|^(node:)?sqlite$' },
  ),
  rule(
    'one driver of PostgreSQL',
    'lib/database/postgres/ alone imports it.',
    { path: '^(lib|src)/', pathNot: '^lib/database/postgres/' },
    { path: 'node_modules/(@types/)?(pg|pg-pool|pg-cursor|pg-native|postgres)/' },
  ),
  rule(
    'one engine of jobs',
    'The jobs of a database alone stand on pg-boss.',
    { path: '^(lib|src)/', pathNot: '^src/service/jobs/postgres/' },
    { path: 'node_modules/pg-boss/' },
  ),
  rule(
    'no drawers',
    'A file is named after the one thing it holds.',
    { path: '^(lib|src)/' },
    { path: '^(lib|src)/.*\\b(utils?|helpers?|misc|common)\\b' },
  ),
];

module.exports = {
  forbidden,
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    // Types are imports too: a face that takes another's type knows it.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
