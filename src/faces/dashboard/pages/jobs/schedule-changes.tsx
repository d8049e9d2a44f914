import { Fragment } from 'react';
import { type ChangeFormat, changeFormats } from '../../../../files/history/export-changes.js';
import { numberFields } from '../../../../files/history/main-field.js';
import { maxLines } from '../../../../files/history/plot/line-geometry.js';
import type { ItemEvent } from '../../../../lines/memory/compare.js';
import type { Change } from '../../../../lines/memory/history.js';
import { itemTitle, valueText } from '../../../../output/item-text.js';
import { integerText } from '../../../../output/number-text.js';
import { stateBadge } from '../../../../output/site/status.js';
import { Time } from '../../../../output/site/time.js';
import { changeKinds, lookbackDays, scheduleAddress } from '../../jobs/schedule-filters.js';
import type { ScheduleView, SeenView } from '../../jobs/schedule-view.js';
import { FilterForm, SelectField, TextField } from '../../parts/form.js';
import { Lines } from '../../parts/lines.js';
import { Empty, Panel } from '../../parts/panel.js';
import { Pager, Table, TextCell } from '../../parts/table.js';

const EventBadge = stateBadge<ItemEvent>({
  first: ['plain', 'First reading'],
  new: ['good', 'New'],
  returned: ['good', 'Back'],
  changed: ['busy', 'Changed'],
  removed: ['bad', 'Gone'],
});

function Filters({ view: { schedule, endpoint, filters } }: { view: ScheduleView }) {
  const { subject, field, days, what } = filters;
  const fields = endpoint === null ? [] : numberFields(endpoint);
  const names = [...new Set([...fields, ...(field === undefined ? [] : [field])])];
  const kinds = Object.entries(changeKinds).map(([value, { label }]) => ({ value, label }));
  const spans = lookbackDays.map((value) => ({ value, label: `${value} days` }));
  return (
    <FilterForm action={scheduleAddress(schedule.id, {})} button="Show" all="Everything">
      <TextField
        name="subject"
        label="Of"
        value={subject}
        input={{ placeholder: 'everything', maxLength: 200, spellCheck: false, autoComplete: 'off' }}
      />
      <SelectField
        name="field"
        label="Field"
        value={field}
        options={[{ value: '', label: 'All' }, ...names]}
      />
      <SelectField name="what" label="Changes" value={what} options={kinds} />
      <SelectField name="days" label="In the last" value={days} options={spans} />
    </FilterForm>
  );
}

/** An item by its title, linked to its page on the platform. */
function Item({ change: { item = {}, id, url, subject } }: { change: Change }) {
  const title = itemTitle(item) ?? id;
  return (
    <span className="prose">
      {url !== null && /^https?:\/\//.test(url) ? (
        <a href={url} rel="external noreferrer">
          {title}
        </a>
      ) : (
        title
      )}
      {subject === title ? null : <small> of {subject}</small>}
    </span>
  );
}

function Value({ change, of }: { change: Change; of: 'before' | 'after' }) {
  return change.event === 'changed' ? <TextCell text={valueText(change[of])} /> : '–';
}

function What({ change: { event, field } }: { change: Change }) {
  return (
    <span>
      <EventBadge state={event} /> {field === null ? null : <code>{field}</code>}
    </span>
  );
}

function Changes({ view, history: { changes } }: { view: ScheduleView; history: SeenView }) {
  const { schedule, filters } = view;
  const isLater = filters.before !== undefined;
  const of = { ...filters, before: undefined, runs: undefined };
  if (changes.changes.length === 0) {
    return (
      <Empty title="No changes">
        <p>
          {schedule.last_run.job === null ? '' : 'Each run adds the items it found new, changed or removed. '}
          Later runs are compared with the first.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <p>
        Export these changes:{' '}
        {Object.keys(changeFormats).map((format, at) => (
          <Fragment key={format}>
            {at === 0 ? '' : ', '}
            <a href={scheduleAddress(schedule.id, of, `/changes.${format as ChangeFormat}`)} download="">
              {format.toUpperCase()}
            </a>
          </Fragment>
        ))}
      </p>
      <Pager
        first={isLater ? scheduleAddress(schedule.id, of) : null}
        next={changes.next === null ? null : scheduleAddress(schedule.id, { ...of, before: changes.next })}
      />
      <Table
        caption="Changes, newest first"
        rows={changes.changes}
        keyOf={({ number }) => String(number)}
        columns={[
          { title: 'Read', cell: (change) => <Time at={change.fetched_at} short /> },
          { title: 'Item', heads: true, cell: (change) => <Item change={change} /> },
          { title: 'What', cell: (change) => <What change={change} /> },
          { title: 'Before', cell: (change) => <Value change={change} of="before" /> },
          { title: 'After', cell: (change) => <Value change={change} of="after" /> },
        ]}
      />
    </>
  );
}

/** The history of a schedule: charts, and the items that were added, changed and removed. */
export function ItemHistory({ view, history }: { readonly view: ScheduleView; readonly history: SeenView }) {
  const { filters, schedule } = view;
  const { lines, subjects } = history;
  const names = [...new Set(lines.map(({ field }) => field))].join(', ');
  const shownLines = Math.min(maxLines, subjects);
  return (
    <>
      <Panel
        title="Over time"
        aside={subjects > shownLines ? `The first ${shownLines} of ${integerText(subjects)}` : undefined}
      >
        <Filters view={view} />
        {lines.length === 0 ? (
          <Empty title="Nothing to draw">
            <p>
              {filters.subject !== undefined && subjects === 0
                ? 'Nothing with that name was read.'
                : 'No such number was read in this period.'}
            </p>
          </Empty>
        ) : (
          <Lines
            lines={lines}
            title={`${names}, last ${filters.days} days`}
            addressOf={({ subject }) =>
              scheduleAddress(schedule.id, { ...filters, subject, before: undefined, runs: undefined })
            }
          />
        )}
      </Panel>
      <Panel title="Changes">
        <Changes view={view} history={history} />
      </Panel>
    </>
  );
}
