import type { Account } from './accounts.js';

/** A user with their account, as stored. Times are milliseconds since 1970. */
export interface UserRow {
  readonly account: string;
  readonly email: string;
  readonly verified_at: number | null;
  readonly created_at: number;
}

/** The endpoint under which the ledger records a deleted account's remaining balance. */
export const forfeitedEndpoint = 'account/deleted';

export function toAccount(
  row: UserRow,
  { credits, bought }: { readonly credits: number; readonly bought: boolean },
): Account {
  return {
    id: row.account,
    email: row.email,
    verified: row.verified_at !== null,
    created_at: new Date(row.created_at).toISOString(),
    credits,
    bought,
  };
}
