/**
 * How the doctor inspects the stores' files while no program has them open. Exported here because the doctor imports no
 * database.
 */

export { inspectFile } from '../../lib/database/sqlite/inspect-sqlite.js';
export { inspectLedger } from '../../lib/ledger/sqlite/inspect-ledger.js';
export { ledgerFault } from '../../lib/ledger/sqlite/ledger-fault.js';
