import Sqlite from 'better-sqlite3';

/** Calls `onWrite` just before each statement that a connection of this process runs. */
export function beforeEachStatement(onWrite: () => void): void {
  const { prepare } = Sqlite.prototype;
  Sqlite.prototype.prepare = function (this: Sqlite.Database, source: string) {
    const statement = prepare.call(this, source) as Sqlite.Statement<unknown[]>;
    const run = statement.run.bind(statement);
    statement.run = (...values) => {
      onWrite();
      return run(...values);
    };
    return statement;
  } as typeof prepare;
}
