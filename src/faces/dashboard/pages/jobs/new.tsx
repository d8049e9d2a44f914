import type { Endpoint } from '../../../../../lib/endpoint.js';
import { stepFields } from '../../../../lines/step-fields.js';
import { integerText } from '../../../../output/number-text.js';
import { identifyingParams } from '../../../../output/plain-argument.js';
import { Callout } from '../../../../output/site/status.js';
import type { ApiKey } from '../../../../service/accounts/account-objects.js';
import { maxInputs, maxJobNameLength } from '../../../../service/jobs/job-limits.js';
import { maxJobBytes } from '../../../../service/jobs/job-request.js';
import { maxTargets } from '../../../../service/notify/target.js';
import type { FormState, FormValues } from '../../forms.js';
import { CheckBox, FileField, PostForm, SelectField, TextArea, TextField } from '../../parts/form.js';
import { jobsPage, Layout } from '../../parts/layout.js';
import { Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';

/** The input formats to choose from; the first detects it. */
const formats = [
  { value: 'auto', label: 'Detect automatically' },
  { value: 'ndjson', label: 'NDJSON: one JSON object per line' },
  { value: 'csv', label: 'CSV: a header of parameter names' },
  { value: 'text', label: 'Plain text: one value per line' },
] as const;

interface NewJobProps extends FormState {
  readonly endpoints: readonly Endpoint[];
  readonly keys: readonly ApiKey[];
}

/** Explains a plain text line, and the other forms of an input. */
function Parameters({ endpoints }: { endpoints: readonly Endpoint[] }) {
  return (
    <details>
      <summary>What each line contains, by endpoint</summary>
      <Table
        caption="Parameters of the endpoints"
        rows={endpoints}
        keyOf={({ path }) => path}
        columns={[
          {
            title: 'Endpoint',
            heads: true,
            cell: ({ path }) => (
              <a href={`/docs/endpoints/${path}`}>
                <code>{path}</code>
              </a>
            ),
          },
          {
            title: 'One value per line is the',
            cell: (endpoint) => identifyingParams(endpoint).join(' or '),
          },
          {
            title: 'Other parameters',
            cell: (endpoint) =>
              Object.keys(endpoint.params)
                .filter((name) => !identifyingParams(endpoint).includes(name))
                .join(', '),
          },
        ]}
      />
    </details>
  );
}

function Inputs() {
  return (
    <Panel title="Inputs" aside={`Up to ${integerText(maxInputs)} inputs, ${maxJobBytes / 1024 ** 2} MiB`}>
      <div className="stack">
        <FileField
          name="file"
          label="File"
          hint="NDJSON, CSV with parameter names as its header, or plain text with one name, URL or ID per line."
          input={{ accept: '.ndjson,.jsonl,.csv,.txt,text/csv,text/plain' }}
        />
        <TextArea name="text" label="Or paste them" rows={7} />
        <SelectField name="format" label="Format" options={formats} />
      </div>
    </Panel>
  );
}

/** The options for results, of any job or of schedules only. */
function StepFields({ values, isOfJobs }: { readonly values: FormValues; readonly isOfJobs: boolean }) {
  const fields = stepFields.filter((field) => field.isOfJobs === isOfJobs);
  return fields.map(({ name, label, hint, isSwitch }) =>
    isSwitch ? (
      <CheckBox key={name} name={name} label={label} checked={values[name] !== undefined} />
    ) : (
      <TextField key={name} {...{ name, label, hint }} input={{ autoComplete: 'off', spellCheck: false }} />
    ),
  );
}

function Schedule({ values }: { values: FormValues }) {
  return (
    <Panel title="Schedule" aside="Optional">
      <div className="fields">
        <TextField
          name="schedule"
          label="Repeat"
          hint="6h, 1d, monday 08:00, or five cron fields such as 0 6 * * *. The first job runs immediately."
          input={{ autoComplete: 'off', placeholder: '1d', maxLength: 100 }}
        />
        <TextField
          name="timezone"
          label="Time zone"
          hint="For the days and times, with daylight saving. UTC if empty."
          input={{ autoComplete: 'off', placeholder: 'Europe/Berlin', maxLength: 64 }}
        />
      </div>
      <div className="stack">
        <StepFields {...{ values, isOfJobs: false }} />
      </div>
      <TextArea
        name="notify"
        label="Notify after each run"
        hint={`One target per line, at most ${maxTargets}: the URL of a webhook, of Slack, Discord, Teams or ntfy.sh, mattermost: and a URL, or your own e-mail address. A run that finds nothing sends no alert.`}
        rows={3}
      />
    </Panel>
  );
}

/** Asks for the inputs of a job. Nothing is submitted yet: the next page shows the cost. */
export function NewJobPage({ endpoints, keys, values = {}, problems = {} }: NewJobProps) {
  return (
    <Layout
      title="New job"
      above={[jobsPage]}
      lead="You see the price and any invalid lines before you submit it."
    >
      {problems[''] === undefined ? null : <Callout kind="problem">{problems['']}</Callout>}
      <PostForm
        className="steps"
        action="/dashboard/jobs/new"
        encType="multipart/form-data"
        {...{ values, problems }}
      >
        <Panel title="Endpoint and name">
          <SelectField
            name="endpoint"
            label="Endpoint"
            options={endpoints.map(({ path, title, credits }) => ({
              value: path,
              label: `${title}: ${path} (${credits} credits)`,
            }))}
          />
          <TextField
            name="name"
            label="Name"
            hint="Optional: shown in lists."
            input={{ maxLength: maxJobNameLength, autoComplete: 'off' }}
          />
          <Parameters endpoints={endpoints} />
        </Panel>
        <Inputs />
        <Panel title="Results" aside="Optional">
          <StepFields {...{ values, isOfJobs: true }} />
        </Panel>
        <Panel title="Webhook and key" aside="Optional">
          <div className="fields">
            <TextField
              name="webhook_url"
              label="Webhook URL"
              hint="An https URL to which the finished job is posted, signed; or s3://bucket/name-{job}.csv in the operator’s bucket, for its results."
              input={{ type: 'url', inputMode: 'url', autoComplete: 'off', placeholder: 'https://' }}
            />
            <SelectField
              name="key"
              label="API key"
              hint="The job runs with this key, its platforms and its monthly limit."
              options={[
                { value: '', label: 'None' },
                ...keys.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </div>
        </Panel>
        <Schedule values={values} />
        <button type="submit">Show the price</button>
      </PostForm>
    </Layout>
  );
}
