import type { KnownItemsOfList, ReadsOn } from '../../lib/batch/run-input.js';
import { type ExtractError, invalidParameter } from '../../lib/errors/extract-error.js';
import { inField } from '../../lib/errors/in-field.js';
import { type Line, remainder } from './line.js';
import {
  type OpenStep,
  type PlannedRun,
  type RequestedStep,
  type RunOutcome,
  runKinds,
  type StartedRun,
  type Step,
  type StepPorts,
  type StepValues,
} from './step.js';
import { steps } from './steps.js';

/** Returns the error for a step of another kind of run: “--when is for single calls and batches, not for grids.” */
function misplacedError(step: Step, option: string, { nameOf, kind }: PlannedRun): ExtractError {
  if (kind === 'job' && step.kinds.includes('schedule')) {
    const problem = `${nameOf(option)} requires a schedule. Add one, such as "6h".`;
    return invalidParameter(problem, { field: 'schedule' });
  }
  // Not a constant: the first ListFormat loads the languages, an eighth of the time of a demo call (Node 24, 2026-11).
  const suited = new Intl.ListFormat('en').format(step.kinds.map((one) => runKinds[one]));
  const problem = `${nameOf(option)} is for ${suited}, not for ${runKinds[kind]}.`;
  return invalidParameter(problem, { field: option });
}

/** Returns the steps that a run requests, in table order. Throws if a step refuses its values, before anything runs. */
export async function requestSteps(values: StepValues, run: PlannedRun): Promise<readonly RequestedStep[]> {
  const requested: RequestedStep[] = [];
  for (const step of steps) {
    const option = Object.keys(step.options).find((name) => values[name] !== undefined);
    if (step.kinds.includes(run.kind)) {
      const one = await inField(option, () => step.request(values, run));
      if (one !== null) requested.push(one);
    } else if (option !== undefined) throw misplacedError(step, option, run);
  }
  return requested;
}

export interface LineSteps {
  readonly readsOn: ReadsOn | undefined;
  readonly knownItems: KnownItemsOfList | undefined;
  readonly identity: Readonly<Record<string, string | boolean>>;
  readonly ahead: ((line: Line) => Promise<'done' | 'interrupted'>) | undefined;
  /** Returns the line after all steps; a line without items if they omitted all of it. */
  apply<L extends Line>(line: L): Promise<L>;
  begin(run: StartedRun): Promise<void>;
  saved(before: number): Promise<void>;
  summary(): readonly string[];
  isPart(): boolean;
  end(outcome: RunOutcome): Promise<void>;
  close(): Promise<void>;
}

/** Applies every step in order. After a step has omitted the whole line, the remaining steps only see its error. */
async function applyAll<L extends Line>(open: readonly OpenStep[], line: L): Promise<L> {
  let result = line;
  for (const step of open) {
    if (step.apply === undefined) continue;
    result = await step.apply(result);
    const rest = remainder(result);
    if (rest === null) return result;
    result = rest;
  }
  return result;
}

/** Runs every step's work ahead, each on a preview of what the earlier steps leave of the line. */
async function workAhead(open: readonly OpenStep[], line: Line): Promise<'done' | 'interrupted'> {
  let preview = line;
  for (const step of open) {
    if ((await step.ahead?.(preview)) === 'interrupted') return 'interrupted';
    preview = step.preview?.(preview) ?? preview;
  }
  return 'done';
}

async function closeAll(open: readonly OpenStep[]): Promise<void> {
  const results = [];
  for (const step of open.toReversed()) results.push(...(await Promise.allSettled([step.close?.()])));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Opens the steps of a run. `sources`: whether lines keep the sources of their items after the last step. */
export async function openSteps(
  requested: readonly RequestedStep[],
  ports: StepPorts,
  { sources }: { readonly sources: boolean },
): Promise<LineSteps> {
  const open: OpenStep[] = [];
  try {
    for (const step of requested) open.push(await step.open(ports));
  } catch (error) {
    await closeAll(open);
    throw error;
  }
  return {
    readsOn: open.find(({ readsOn }) => readsOn !== undefined)?.readsOn,
    knownItems: open.find(({ knownItems }) => knownItems !== undefined)?.knownItems,
    identity: Object.assign({}, ...open.map(({ identity }) => identity)),
    ahead: open.some(({ ahead }) => ahead !== undefined) ? (line) => workAhead(open, line) : undefined,
    async apply(line) {
      const result = await applyAll(open, line);
      return sources ? result : { ...result, sources: undefined };
    },
    async begin(run) {
      for (const step of open) await step.begin?.(run);
    },
    // Last step first: an item counts as seen only after the later steps have reported it.
    async saved(before) {
      for (const step of open.toReversed()) await step.saved?.(before);
    },
    summary: () => open.flatMap((step) => step.summary?.() ?? []),
    isPart: () => open.some((step) => step.isPart?.() === true),
    async end(outcome) {
      for (const step of open) await step.end?.(outcome);
    },
    close: () => closeAll(open),
  };
}

/** Parameters that steps set on calls. The inputs' values take precedence. */
export const callDefaults = (requested: readonly RequestedStep[]): Readonly<Record<string, unknown>> => ({
  ...Object.assign({}, ...requested.map(({ defaults }) => defaults)),
  ...(requested.some(({ needsSources }) => needsSources === true) ? { sources: true } : {}),
});

/** What inputs without a line lack: “news or a match”. */
export const lackText = (requested: readonly RequestedStep[]) =>
  requested.flatMap(({ lack }) => lack ?? []).join(' or ') || 'items';
