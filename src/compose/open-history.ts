/** The history in a user's own file. The faces do not know SQLite stores. */
export { observationOf } from '../lines/memory/observation.js';
export { fileScope, openHistoryFile } from '../lines/memory/sqlite/history-file.js';
