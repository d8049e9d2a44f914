/** Copies and checks the files of stores, which a running server may have open. */

export { checkPages, copyState } from '../../../lib/database/sqlite/copy-state.js';
export { copySnapshot, openSnapshot } from '../../../lib/database/sqlite/snapshot.js';
export { sqliteFault as snapshotFault } from '../../../lib/database/sqlite/sqlite-fault.js';
export { checkBooks } from '../../../lib/ledger/sqlite/check-books.js';
