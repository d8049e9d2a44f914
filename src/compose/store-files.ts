/**
 * How the doctor inspects the files of the stores while no program has them open. It is exported here, as
 * `open-store.ts` exports the stores: the doctor knows files, but no database.
 */

export { inspectFile } from '../../lib/database/sqlite/inspect-sqlite.js';
export { inspectLedger } from '../../lib/ledger/sqlite/inspect-ledger.js';
export { ledgerFault } from '../../lib/ledger/sqlite/ledger-fault.js';
