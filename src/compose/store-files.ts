/**
 * The operations on the files of the stores while no program has them open: looking, checking, copying. Named here
 * alone, as `open-store.ts` names the stores: doctor and backup know files, and no database.
 */

export { checkPages, copyState } from '../../lib/database/sqlite/copy-state.js';
export { inspectFile } from '../../lib/database/sqlite/inspect-sqlite.js';
export { copySnapshot, openSnapshot } from '../../lib/database/sqlite/snapshot.js';
export { sqliteFault as snapshotFault } from '../../lib/database/sqlite/sqlite-fault.js';
export { checkBooks } from '../../lib/ledger/sqlite/check-books.js';
export { inspectLedger } from '../../lib/ledger/sqlite/inspect-ledger.js';
export { ledgerFault } from '../../lib/ledger/sqlite/ledger-fault.js';
export { inspectAudit } from '../service/audit/sqlite/inspect-audit.js';
