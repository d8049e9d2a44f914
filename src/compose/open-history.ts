/** The history in a file of the user's own: the faces know no store of SQLite. */
export { observationOf } from '../files/history/observation.js';
export { fileScope, openHistoryFile } from '../files/history/sqlite/history-file.js';
