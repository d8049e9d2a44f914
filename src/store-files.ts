/**
 * What may be done with the files of the stores while no program has them open: looking, checking, copying. Named here
 * alone, as `open-store.ts` names the stores: doctor and backup know files, and no database.
 */
export { checkBooks } from '../lib/ledger/sqlite/check-books.js';
export { inspectLedger } from '../lib/ledger/sqlite/inspect-ledger.js';
export { ledgerFault } from '../lib/ledger/sqlite/ledger-fault.js';
export { checkPages, copyState } from '../lib/sqlite/copy-state.js';
export { inspectFile } from '../lib/sqlite/inspect-sqlite.js';
export { copySnapshot } from '../lib/sqlite/snapshot.js';
export { sqliteFault as snapshotFault } from '../lib/sqlite/sqlite-fault.js';
