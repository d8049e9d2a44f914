import { version } from '../../../../lib/runtime/version.js';
import { linesOf } from '../../../files/batch-files/lines.js';
import { openSource } from '../../../files/batch-files/read-inputs.js';
import type { Difference } from '../../../files/evidence/differences.js';
import { EvidenceReader } from '../../../files/evidence/evidence-reader.js';
import { parseResultLine } from '../../../files/evidence/result-line.js';
import { type LineVerdict, type Verdict, Verification } from '../../../files/evidence/verify.js';
import { AlteredEvidence } from '../../../files/evidence/wacz-file.js';
import { quotedFor } from '../../../output/shell-words.js';
import type { Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { printable } from '../printable.js';
import { UsageError } from '../usage-error.js';

export interface VerifyOptions {
  readonly json: boolean;
  /** Omit lines that are equal, and the summary. */
  readonly quiet: boolean;
}

const maxShown = 80;

function excerpt(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
  return printable(text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);
}

const differenceText = ({ field, was, now }: Difference) =>
  `${printable(field)}: then ${excerpt(was)}, now ${excerpt(now)}`;

function verdictText({ line, status, differences, note }: LineVerdict): string {
  const about = note === null ? '' : `  ${printable(note)}`;
  return [`line ${line}  ${status}${about}`, ...differences.map((one) => `  ${differenceText(one)}`)].join(
    '\n',
  );
}

/** A missing field is null in JSON. */
const verdictJson = ({ differences, ...verdict }: LineVerdict) =>
  JSON.stringify({
    ...verdict,
    differences: differences.map(({ field, was = null, now = null }) => ({ field, was, now })),
  });

/** Throws if the arguments look swapped. */
function checkOrder(archive: string, results: string): void {
  if (archive.endsWith('.wacz') || !results.endsWith('.wacz')) return;
  throw new UsageError(
    'invalid_parameter',
    'Pass the archive first.',
    `For example: extract archive verify ${quotedFor(results)} ${quotedFor(archive)}`,
  );
}

async function openChecked(context: Context, file: string, json: boolean): Promise<EvidenceReader> {
  try {
    return await EvidenceReader.open(file);
  } catch (error) {
    if (!(error instanceof AlteredEvidence)) throw error;
    const { message } = error;
    await context.stdout.write(
      json ? `${JSON.stringify({ status: 'changed', message })}\n` : `${printable(message)}\n`,
    );
    throw new ExitStatusError(8);
  }
}

function archiveText(archive: EvidenceReader): string {
  const { wacz, unfinished } = archive;
  const summary =
    wacz === null ? '' : `The archive ${wacz.digest} is unchanged since ${wacz.manifest.software} wrote it. `;
  const cut = unfinished?.cut ? `; its last ${unfinished.cut} bytes are an unfinished record` : '';
  const cutText = unfinished === null ? '' : `The file of an unfinished run was read to its end${cut}. `;
  return `${summary}${cutText}Read by public-extract ${version}.`;
}

/** Compares each line of a results file with the archive. Throws exit status 7 if a line differs or is missing. */
export async function runVerify(
  context: Context,
  archiveFile: string,
  results: string,
  { json, quiet }: VerifyOptions,
): Promise<void> {
  const { stdout, stderr, signal, endpoints } = context;
  checkOrder(archiveFile, results);
  const source = await openSource(results);
  const archive = await openChecked(context, archiveFile, json).catch(async (cause: unknown) => {
    await source.close();
    throw cause;
  });
  const counts: Record<Verdict, number> = { equal: 0, differs: 0, missing: 0, unread: 0 };
  try {
    const verification = new Verification(archive, endpoints);
    for await (const { number, text } of linesOf(source.chunks)) {
      signal.throwIfAborted();
      const result = parseResultLine(text);
      if (result === null) {
        throw new UsageError(
          'invalid_parameter',
          `Line ${number} of ${results} is not a result. Pass the NDJSON that was written with the archive, or the JSON of a call.`,
        );
      }
      const verdict = await verification.verify(number, result);
      counts[verdict.status] += 1;
      if (quiet && verdict.status === 'equal') continue;
      await stdout.write(`${json ? verdictJson(verdict) : verdictText(verdict)}\n`);
    }
    const lines = Object.entries(counts).flatMap(([status, count]) =>
      count === 0 ? [] : `${count} ${status}`,
    );
    const unnamed = archive.index.countUnnamed();
    const unnamedText = unnamed === 0 ? '' : `No line refers to ${unnamed} of its answers.`;
    if (!quiet)
      await stderr.write(`${lines.join(', ') || 'No lines'}. ${archiveText(archive)}${unnamedText}\n`);
  } finally {
    await source.close();
    await archive.close();
  }
  if (counts.differs + counts.missing > 0) throw new ExitStatusError(7);
}
