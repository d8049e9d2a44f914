import type { ExtractError } from '../../../../../lib/errors/extract-error.js';
import { integerText } from '../../../../output/number-text.js';
import { ErrorLink } from '../../../../output/site/code.js';
import { Callout } from '../../../../output/site/status.js';
import { shownTarget } from '../../../../service/notify/target.js';
import { countRuns } from '../../../../service/schedule/timetable.js';
import { useFrame } from '../../frame.js';
import type { Draft } from '../../jobs/drafts.js';
import { ActionButton, QuietLink } from '../../parts/form.js';
import { jobsPage, Layout, packsPage } from '../../parts/layout.js';
import { isolated, ShortUrl } from '../../parts/name.js';
import { Details, Figures, Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';
import { stepLines } from './step-lines.js';

const above = [jobsPage] as const;

const maxProblems = 100;
const maxInputCharacters = 300;

const inputs = (count: number) => `${integerText(count)} ${count === 1 ? 'input' : 'inputs'}`;

const thirtyDays = 30 * 24 * 3_600_000;

/** Returns the job to submit, without faulty lines if necessary. */
const orderOf = ({ request, soundRequest }: Draft) => request ?? soundRequest;

/** Returns the runs of a schedule in the next month; null for a job that runs once. */
function monthAhead(draft: Draft, now: number) {
  const order = orderOf(draft);
  if (order?.schedule === undefined) return null;
  const runs = countRuns(order.schedule, now, now, now + thirtyDays);
  const credits = runs * order.inputs.length * draft.checked.credits_each;
  return { every: order.schedule.text, runs, credits };
}

function PriceFigures({ draft, balance, now }: { draft: Draft; balance: number; now: number }) {
  const { inputs: count, credits_each: each } = draft.checked;
  const price = count * each;
  const month = monthAhead(draft, now);
  return (
    <Figures
      of={[
        { name: 'Inputs', value: integerText(count) },
        {
          name: 'Price',
          value: integerText(price),
          note: `${each} credits per input, reserved when you submit it`,
        },
        month && {
          name: 'In 30 days',
          value: integerText(month.credits),
          note: `${integerText(month.runs)} runs, every ${month.every}, after this one`,
        },
        { name: 'Balance before', value: integerText(balance) },
        { name: 'Balance after', value: integerText(balance - price), danger: balance < price },
      ]}
    />
  );
}

/** Notes the credits reserved for inputs with `demo`, which return samples. */
function Demo({ draft: { checked, request } }: { draft: Draft }) {
  const { inputs: total, wrong, credits, credits_each } = checked;
  const free = (total - wrong) * credits_each - credits;
  if (free === 0 || request === null) return null;
  return (
    <Callout kind="note">
      Sample data is free: {inputs(free / credits_each)} with <code>demo</code> would get {integerText(free)}{' '}
      of the reserved credits refunded.
    </Callout>
  );
}

function Problems({ draft: { checked, unreadable } }: { draft: Draft }) {
  const { problems, wrong, credits_each } = checked;
  if (wrong === 0) return null;
  const back = wrong * credits_each;
  const rows = problems.slice(0, maxProblems);
  return (
    <>
      {unreadable > 0 ? null : (
        <Callout kind="note">
          {inputs(wrong)} would fail as {wrong === 1 ? 'it is' : 'they are'} now. Failed inputs are free:{' '}
          {integerText(back)} of the reserved credits would be refunded.
        </Callout>
      )}
      <Panel
        title="Faulty lines"
        aside={rows.length < wrong ? `The first ${rows.length} of ${integerText(wrong)}` : undefined}
      >
        <Table
          caption="Faulty lines"
          rows={rows}
          keyOf={({ line }) => String(line)}
          columns={[
            { title: 'Problems', cell: ({ message }) => <span className="prose">{message}</span> },
            { title: 'Code', cell: ({ code }) => <ErrorLink code={code} /> },
          ]}
        />
      </Panel>
    </>
  );
}

function First({ draft: { first, checked } }: { draft: Draft }) {
  if (first.length === 0) return null;
  return (
    <Panel title="First inputs, as read" aside={`${first.length} of ${integerText(checked.inputs)}`}>
      <ol className="plain-list">
        {first.map((input, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same input may come twice, and none ever moves
          <li key={at}>
            <code>
              {input.length > maxInputCharacters ? `${input.slice(0, maxInputCharacters)}…` : input}
            </code>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

interface DraftProps {
  readonly draft: Draft;
  readonly balance: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly keyName: string | null;
  /** Why it was rejected. */
  readonly problem?: ExtractError | undefined;
}

/** A button that submits the inputs without those that would fail. */
function SendSound({ draft, balance, kind = 'button' }: DraftProps & { kind?: 'button' | 'quiet' }) {
  const { checked, soundRequest } = draft;
  if (soundRequest === null) return null;
  const count = soundRequest.inputs.length;
  const price = count * checked.credits_each;
  if (balance < price) return null;
  return (
    <ActionButton kind={kind} action={`/dashboard/jobs/drafts/${draft.id}/without-faulty`}>
      Send without the faulty lines: {inputs(count)}, {integerText(price)} credits
    </ActionButton>
  );
}

/** The options of a job: its condition, its history and its notification targets. Omitted if there are none. */
function Choices({ draft }: { draft: Draft }) {
  const { lineOptions = {}, notify = [], timezone, schedule } = orderOf(draft) ?? {};
  const lines = [
    ...stepLines(lineOptions),
    notify.length === 0 ? null : (['Notifies', notify.map(shownTarget).join(', ')] as const),
    schedule === undefined ? null : (['Times of', timezone] as const),
  ];
  if (lines.every((line) => line === null)) return null;
  return (
    <Panel title="Choices">
      <Details of={lines} />
    </Panel>
  );
}

/** Why the job cannot be submitted. */
function Obstacle({ draft: { checked, unreadable, request }, balance }: DraftProps) {
  const { sells } = useFrame();
  const shortage = checked.inputs * checked.credits_each - balance;
  if (request === null) {
    return (
      <>
        {unreadable === 1 ? 'One line' : `${integerText(unreadable)} lines`} cannot be read. Correct the lines
        below and <a href={`/dashboard/jobs/new?endpoint=${checked.endpoint}`}>upload the inputs again</a>.
        Nothing has been sent.
      </>
    );
  }
  return (
    <>
      Your balance is {integerText(shortage)} credits short.{' '}
      {sells ? <a href={packsPage.href}>Buy a pack</a> : 'Ask the operator for more'}, then come back to this
      page within the hour.
    </>
  );
}

function Send(props: DraftProps) {
  const { draft, balance } = props;
  const { checked, request, id } = draft;
  const isReady = request !== null && checked.inputs * checked.credits_each <= balance;
  return (
    <>
      {isReady ? null : (
        <Callout kind="problem">
          <Obstacle {...props} />
        </Callout>
      )}
      <div className="row">
        {isReady ? <ActionButton action={`/dashboard/jobs/drafts/${id}`}>Send the job</ActionButton> : null}
        <SendSound {...props} kind={isReady ? 'quiet' : 'button'} />
        <QuietLink href="/dashboard/jobs/new">Start over</QuietLink>
      </div>
    </>
  );
}

/** The price of a job and the inputs that would fail. Nothing has been submitted yet. */
export function DraftPage(props: DraftProps) {
  const { draft, balance, now, keyName, problem } = props;
  const { source, checked } = draft;
  const order = orderOf(draft);
  return (
    <Layout
      title={order?.name === undefined ? 'Send this job?' : `Send “${isolated(order.name)}”?`}
      above={above}
      lead={
        <>
          {inputs(checked.inputs)} for <code>{checked.endpoint}</code>, from {source}
          {keyName === null ? '' : `, with the key “${isolated(keyName)}”`}.
          {order?.webhookUrl === undefined ? null : (
            <>
              {' '}
              The finished job goes to <ShortUrl url={order.webhookUrl} />.
            </>
          )}
        </>
      }
    >
      {problem === undefined ? null : (
        <Callout kind="problem">
          {problem.message} <ErrorLink code={problem.code} />
        </Callout>
      )}
      <PriceFigures draft={draft} balance={balance} now={now} />
      <Send {...props} />
      <Demo draft={draft} />
      <Choices draft={draft} />
      <First draft={draft} />
      <Problems draft={draft} />
    </Layout>
  );
}

export function ExpiredDraftPage() {
  return (
    <Layout
      title="These inputs have expired"
      above={above}
      lead="Uploaded inputs expire after an hour. Nothing was charged."
    >
      <p>
        <a className="button" href="/dashboard/jobs/new">
          Upload them again
        </a>
      </p>
    </Layout>
  );
}
