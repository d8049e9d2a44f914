/** The history in a file of the user's own: the faces know no store of SQLite. */
export { observationOf } from '../lines/memory/observation.js';
export { fileScope, openHistoryFile } from '../lines/memory/sqlite/history-file.js';
