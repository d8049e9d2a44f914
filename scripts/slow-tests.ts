/** Test files that take long for one reason. A name is the beginning of a path. */
export interface SlowTests {
  readonly reason: string;
  readonly files: readonly string[];
}

/**
 * What `npm test -- --quick` leaves out: whatever takes more than a second and a quarter of processor time. The
 * contract's cases, calls, batches in process and readers stay (measured file by file, 2026-11).
 */
export const slowTests: readonly SlowTests[] = [
  { reason: 'walks a browser', files: ['test/dashboard/browser/', 'test/web/browser/'] },
  {
    reason: 'kills programs and begins again',
    files: [
      'test/accounts/crash',
      'test/batch-files/kill',
      'test/faults/',
      'test/jobs/crash',
      'test/jobs/disk',
      'test/jobs/takeover',
      'test/ledger/crash',
    ],
  },
  {
    reason: 'builds, packs or type-checks',
    files: ['test/built', 'test/client/bundles', 'test/native-module', 'test/package', 'test/types/'],
  },
  {
    reason: 'starts programs of their own',
    files: [
      'test/batch/loopback',
      'test/cli/batch/batch.',
      'test/cli/commands/',
      'test/cli/completion',
      'test/cli/demo',
      'test/cli/help',
      'test/cli/process',
      'test/mcp/conformance',
      'test/mcp/stdio',
      'test/readme',
      'test/replay/',
    ],
  },
  {
    reason: 'opens a server again and again',
    files: [
      'test/accounts/packs/stripe',
      'test/client/client',
      'test/dashboard/admin',
      'test/dashboard/jobs',
      'test/dashboard/keys',
      'test/dashboard/packs',
      'test/dashboard/playground',
      'test/dashboard/requests',
      'test/dashboard/settings',
      'test/dashboard/shell',
      'test/dashboard/sign-in',
      'test/dashboard/usage',
      'test/jobs/runner',
      'test/jobs/webhooks/delivery',
      'test/jobs/webhooks/proxy',
      'test/mcp/http',
      'test/mcp/openapi',
      'test/mcp/revisions',
      'test/remote/remote',
      'test/server/answers',
      'test/server/description',
      'test/server/docs',
      'test/server/fast-path/fast-path',
      'test/server/jobs/routes',
      'test/server/logs-and-metrics',
      'test/server/operations',
      'test/server/rate-limit',
      'test/server/read-endpoints',
      'test/server/secrets',
      'test/server/serve',
      'test/server/sockets',
      'test/server/stripe-route',
      'test/web/connections',
    ],
  },
  {
    reason: 'tries hundreds of altered or random inputs',
    files: [
      'test/accounts/invariant',
      'test/batch/ordered',
      'test/cli/view/draw',
      'test/contract/hostile',
      'test/ledger/invariant',
      'test/ledger/pay-together',
      'test/platforms/maps/deletion',
      'test/platforms/photosocial/missing-values',
      'test/platforms/pronetwork/removal',
      'test/platforms/shortvideo/missing-values',
      'test/server/job-properties',
      'test/server/properties',
    ],
  },
];
