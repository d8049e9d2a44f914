/** The history in a user's own file. The faces do not know SQLite stores. */
export { fileScope, openHistoryFile } from '../lines/memory/sqlite/history-file.js';
