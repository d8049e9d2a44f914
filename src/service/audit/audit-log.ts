import * as z from 'zod';

/** What each recorded act means. */
export const actMeanings = {
  'account.create': 'An account was created.',
  'account.verify': 'The address of an account was confirmed.',
  'key.create': 'An API key was created.',
  'key.revoke': 'An API key was revoked.',
  'key.limit': 'The monthly limit of an API key was set or removed.',
  'credits.grant': 'Credits were added to an account, with a receipt.',
  'credits.add': 'Credits were added to the account of this machine.',
  'admin.link': 'A link to the admin pages was created.',
  'admin.sign_in': 'A link to the admin pages was used.',
  'subject.suppress': 'A subject was suppressed: it is no longer requested.',
  'subject.allow': 'A subject is no longer suppressed.',
  'subject.forget': 'A subject was forgotten.',
  'usage.archive': 'Old calls were moved from the ledger to a file.',
  'data.backup': 'The data directory was copied to a backup.',
  'data.restore': 'The data directory was restored from a backup.',
  'data.import': 'A data directory was imported into the database.',
  'settings.change': 'A server started with changed retention settings.',
  'audit.export': 'This log was exported.',
} as const;

export type ActName = keyof typeof actMeanings;

export const auditEntry = z.strictObject({
  /** Consecutive, from 1. */
  number: z.int(),
  at: z.iso.datetime(),
  via: z.enum(['command', 'server']),
  login: z.string().nullable(),
  act: z.enum(Object.keys(actMeanings) as [ActName, ...ActName[]]),
  subject: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()),
  /**
   * SHA-256 in hexadecimal digits over the JSON of a list: the digest of the previous act (64 zeros before the first),
   * then number, at, via, login, act, subject and details of this one.
   */
  digest: z.string(),
});

export type AuditEntry = Readonly<z.output<typeof auditEntry>>;

/** Where an act came from: a command, with the system user's name, or a server, including its admin pages. */
export type Operator = Pick<AuditEntry, 'via' | 'login'>;

/** Facts about an act: never a secret, a person's name or an address. */
export type ActDetails = AuditEntry['details'];

export interface Act {
  readonly act: ActName;
  /** What was acted on: an internal id, or a digest, so that the log never has to forget a person. Null for none. */
  readonly subject?: string | null;
  readonly details?: ActDetails;
}

export interface AuditQuery {
  /** ISO 8601 UTC: the first time included, and the first excluded. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly act?: ActName | undefined;
  /** Maximum number of acts. */
  readonly limit: number;
}
