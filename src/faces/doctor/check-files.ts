import { stat } from 'node:fs/promises';
import path from 'node:path';
import { StorageError } from '../../../lib/errors/storage-error.js';
import { inspectFile, inspectLedger, ledgerFault } from '../../compose/store-files.js';
import { type Finding, failed, ok, warning } from './finding.js';

const mib = 1024 * 1024;
/** Files up to this size are read completely; larger ones would take too long. */
const fullReadBytes = 64 * mib;

const sizeText = (bytes: number) => `${(bytes / mib).toFixed(1)} MiB`;

async function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    ({ size }) => size,
    () => null,
  );
}

export interface LedgerCheck {
  readonly findings: readonly Finding[];
  /** Null if there is none, or it is unknown. */
  readonly newest: number | null;
}

/**
 * Checks the ledger: permissions, damage, schema version, balances, lock. `isFullCheck` reads a large one completely,
 * too.
 */
export async function checkLedger(home: string, isFullCheck = false): Promise<LedgerCheck> {
  const file = path.join(home, 'ledger.db');
  const size = await sizeOf(file);
  if (size === null) return { findings: [ok('ledger', 'created by the first call')], newest: null };
  const { storeSchemas } = await import('../../compose/open-store.js');
  const reads = isFullCheck || size <= fullReadBytes;
  try {
    const inspection = await inspectLedger(file, storeSchemas, reads);
    const findings: Finding[] = [];
    if (inspection.damage.length > 0) {
      const next = 'Stop the processes that use it and restore a backup.';
      findings.push(failed('ledger', `${file} is damaged: ${inspection.damage[0]}.`, next));
    } else if (inspection.later.length > 0) {
      const next = 'Install that version or a newer one.';
      findings.push(
        failed('ledger', `A later version has written the ${inspection.later.join(', ')}.`, next),
      );
    } else {
      const older = inspection.older.length === 0 ? '' : '; the next call brings its tables up to date';
      const part = reads ? 'undamaged' : 'its header is valid; “extract doctor --whole” reads all of it';
      findings.push(ok('ledger', `${sizeText(size)}, ${part}${older}`));
    }
    if (inspection.imbalances.length > 0) {
      const [first] = inspection.imbalances;
      const message = `The ledger of ${inspection.imbalances.length} accounts does not balance; ${first?.account}: ${first?.balance} instead of ${first?.expected}.`;
      findings.push(
        failed('books', message, 'This is a bug: report it with “extract doctor --bundle FILE”.'),
      );
    } else if (reads && inspection.damage.length === 0) findings.push(ok('books', 'the balances add up'));
    if (inspection.isLocked) {
      const next =
        'If this persists, find the process that has it open with fuser, lsof or the Resource Monitor.';
      findings.push(warning('lock', 'Another process is writing to the ledger.', next));
    }
    return { findings, newest: inspection.newest };
  } catch (cause) {
    const fault = ledgerFault(cause);
    const next = fault instanceof StorageError ? '' : 'Install the version that wrote it.';
    return { findings: [failed('ledger', fault.message, next || `The file is ${file}.`)], newest: null };
  }
}

interface SideFile {
  readonly check: string;
  readonly name: string;
  readonly remedy: (file: string) => string;
}

/** None of them contains money. */
const sideFiles: readonly SideFile[] = [
  {
    check: 'results',
    name: 'results.db',
    remedy: (file) => `Restore a backup, or move ${file} away, which loses the results of jobs.`,
  },
  {
    check: 'cache',
    name: 'answers.db',
    remedy: (file) => `Delete ${file}: the next call creates a new one.`,
  },
  { check: 'pace', name: 'pace.db', remedy: (file) => `Delete ${file}: the next call creates a new one.` },
  {
    check: 'state',
    name: 'state.db',
    remedy: (file) =>
      `Move ${file} away: runs with --new then return everything again, and watches start over.`,
  },
];

/** Checks the files next to the ledger: results of jobs, cached answers, pace, run histories. */
export async function checkSideFiles(home: string, isFullCheck = false): Promise<readonly Finding[]> {
  return Promise.all(sideFiles.map((one) => checkSideFile(home, one, isFullCheck)));
}

async function checkSideFile(
  home: string,
  { check, name, remedy }: SideFile,
  isFullCheck: boolean,
): Promise<Finding> {
  const file = path.join(home, name);
  const size = await sizeOf(file);
  if (size === null) return ok(check, 'nothing is stored yet');
  const reads = isFullCheck || size <= fullReadBytes;
  const { damage, fault } = await inspectFile(file, reads);
  if (fault !== null) return warning(check, `${file} cannot be used (${fault}).`, remedy(file));
  if (damage.length > 0) return warning(check, `${file} is damaged: ${damage[0]}.`, remedy(file));
  return ok(check, `${sizeText(size)}${reads ? ', undamaged' : ''}`);
}
