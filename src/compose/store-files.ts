/**
 * How the doctor looks at the files of the stores while no program has them open. Named here alone, as `open-store.ts` names
 * the stores: the doctor knows files, and no database.
 */

export { inspectFile } from '../../lib/database/sqlite/inspect-sqlite.js';
export { inspectLedger } from '../../lib/ledger/sqlite/inspect-ledger.js';
export { ledgerFault } from '../../lib/ledger/sqlite/ledger-fault.js';
