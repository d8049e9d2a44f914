import type { Endpoint } from '../../../../../lib/endpoint.js';
import { stepFields } from '../../../../lines/step-fields.js';
import { integerText } from '../../../../output/number-text.js';
import { identifyingParams } from '../../../../output/plain-argument.js';
import { Notice } from '../../../../output/site/status.js';
import type { ApiKey } from '../../../../service/accounts/account-objects.js';
import { maxInputs, maxJobNameLength } from '../../../../service/jobs/job-limits.js';
import { maxJobBytes } from '../../../../service/jobs/job-request.js';
import { maxTargets } from '../../../../service/notify/target.js';
import type { FormValues } from '../../forms.js';
import { CheckBox, FileField, PostForm, SelectField, TextArea, TextField } from '../../parts/form.js';
import { Layout } from '../../parts/layout.js';
import { Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';

/** The input formats to choose from; the first detects it. */
const formats = [
  { value: 'auto', label: 'Detect automatically' },
  { value: 'ndjson', label: 'NDJSON: one JSON object per line' },
  { value: 'csv', label: 'CSV: a header of parameter names' },
  { value: 'text', label: 'Plain text: one value per line' },
] as const;

interface NewJobProps {
  readonly endpoints: readonly Endpoint[];
  readonly keys: readonly ApiKey[];
  readonly values?: FormValues;
  readonly problems?: FormValues;
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

function Inputs({ values, problems }: { values: FormValues; problems: FormValues }) {
  return (
    <Panel title="Inputs" aside={`Up to ${integerText(maxInputs)} inputs, ${maxJobBytes / 1024 ** 2} MiB`}>
      <div className="stack">
        <FileField
          name="file"
          label="File"
          hint="NDJSON, CSV with parameter names as its header, or plain text with one name, URL or ID per line."
          problem={problems.file}
          input={{ accept: '.ndjson,.jsonl,.csv,.txt,text/csv,text/plain' }}
        />
        <TextArea name="text" label="Or paste them" value={values.text} problem={problems.text} rows={7} />
        <SelectField
          name="format"
          label="Format"
          value={values.format ?? 'auto'}
          problem={problems.format}
          options={formats}
        />
      </div>
    </Panel>
  );
}

/** The options for results, of any job or of schedules only. */
function StepFields({
  values,
  problems,
  isOfJobs,
}: {
  readonly values: FormValues;
  readonly problems: FormValues;
  readonly isOfJobs: boolean;
}) {
  const fields = stepFields.filter((field) => field.isOfJobs === isOfJobs);
  return fields.map(({ name, label, hint, isSwitch }) =>
    isSwitch ? (
      <CheckBox key={name} name={name} label={label} checked={values[name] !== undefined} />
    ) : (
      <TextField
        key={name}
        {...{ name, label, hint }}
        value={values[name]}
        problem={problems[name]}
        input={{ autoComplete: 'off', spellCheck: false }}
      />
    ),
  );
}

function Schedule({ values, problems }: { values: FormValues; problems: FormValues }) {
  return (
    <Panel title="Schedule" aside="Optional">
      <div className="fields">
        <TextField
          name="schedule"
          label="Repeat"
          hint="6h, 1d, monday 08:00, or five cron fields such as 0 6 * * *. The first job runs immediately."
          value={values.schedule}
          problem={problems.schedule}
          input={{ autoComplete: 'off', placeholder: '1d', maxLength: 100 }}
        />
        <TextField
          name="timezone"
          label="Time zone"
          hint="For the days and times, with daylight saving. UTC if empty."
          value={values.timezone}
          problem={problems.timezone}
          input={{ autoComplete: 'off', placeholder: 'Europe/Berlin', maxLength: 64 }}
        />
      </div>
      <div className="stack">
        <StepFields {...{ values, problems, isOfJobs: false }} />
      </div>
      <TextArea
        name="notify"
        label="Notify after each run"
        hint={`One target per line, at most ${maxTargets}: the URL of a webhook, of Slack, Discord, Teams or ntfy.sh, mattermost: and a URL, or your own e-mail address. A run that finds nothing sends no alert.`}
        value={values.notify}
        problem={problems.notify}
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
      above={[{ title: 'Batch jobs', href: '/dashboard/jobs' }]}
      lead="You see the price and any invalid lines before you submit it."
    >
      {problems[''] === undefined ? null : <Notice kind="problem">{problems['']}</Notice>}
      <PostForm className="steps" action="/dashboard/jobs/new" encType="multipart/form-data">
        <Panel title="Endpoint and name">
          <SelectField
            name="endpoint"
            label="Endpoint"
            value={values.endpoint}
            problem={problems.endpoint}
            options={endpoints.map(({ path, title, credits }) => ({
              value: path,
              label: `${title}: ${path} (${credits} credits)`,
            }))}
          />
          <TextField
            name="name"
            label="Name"
            hint="Optional: shown in lists."
            value={values.name}
            problem={problems.name}
            input={{ maxLength: maxJobNameLength, autoComplete: 'off' }}
          />
          <Parameters endpoints={endpoints} />
        </Panel>
        <Inputs values={values} problems={problems} />
        <Panel title="Results" aside="Optional">
          <StepFields {...{ values, problems, isOfJobs: true }} />
        </Panel>
        <Panel title="Webhook and key" aside="Optional">
          <div className="fields">
            <TextField
              name="webhook_url"
              label="Webhook URL"
              hint="An https URL to which the finished job is posted, signed; or s3://bucket/name-{job}.csv in the operator’s bucket, for its results."
              value={values.webhook_url}
              problem={problems.webhook_url}
              input={{ type: 'url', inputMode: 'url', autoComplete: 'off', placeholder: 'https://' }}
            />
            <SelectField
              name="key"
              label="API key"
              hint="The job runs with this key, its platforms and its monthly limit."
              value={values.key}
              problem={problems.key}
              options={[
                { value: '', label: 'None' },
                ...keys.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </div>
        </Panel>
        <Schedule values={values} problems={problems} />
        <button type="submit">Show the price</button>
      </PostForm>
    </Layout>
  );
}
