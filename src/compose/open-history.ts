/** The history in a user's own file. Commands and pages do not import SQLite stores. */
export { fileScope, openHistoryFile } from '../lines/memory/sqlite/history-file.js';
