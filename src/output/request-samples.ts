/** A request that a page shows. */
export interface SampleRequest {
  readonly method?: string;
  /** Path and query, such as `/v1/account`. */
  readonly address: string;
  /** JSON body. */
  readonly body?: unknown;
  /** False for a demo call, which needs no key. */
  readonly keyed: boolean;
  /** The key itself, on the one page that shows it; the samples read `EXTRACT_API_KEY` otherwise. */
  readonly secret?: string | undefined;
  /** Asks about the job that the request before it made: `{id}` in the address stands for its id. */
  readonly ofNewJob?: unknown;
}

/** The same request for a shell and two programs; each runs as it stands, where it has its key. */
export interface RequestSample {
  readonly label: string;
  /** Name of the language, as Markdown has it. */
  readonly language: 'sh' | 'js' | 'python';
  readonly text: string;
}

const jobsAddress = '/v1/jobs';

/** Whether `{id}` is that of the schedule which the new job begins. */
const isOfSchedule = ({ address }: SampleRequest) => address.startsWith('/v1/schedules/');

function curl(request: SampleRequest, base: string): string {
  const { method = 'GET', address, body, keyed, secret, ofNewJob } = request;
  const options = (sent: unknown, verb: string) => [
    ...(verb === 'GET' ? [] : [`-X ${verb}`]),
    ...(keyed ? [`-H "Authorization: Bearer ${secret ?? '$EXTRACT_API_KEY'}"`] : []),
    ...(sent === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(sent)}'`]),
  ];
  const line = (sent: unknown, verb: string, url: string) =>
    ['curl -sS', ...options(sent, verb), `"${base}${url}"`].join(
      sent === undefined && verb === 'GET' ? ' ' : ' \\\n  ',
    );
  const [name, prefix] = isOfSchedule(request) ? ['SCHEDULE', 'sched'] : ['JOB', 'job'];
  const shown = line(body, method, address.replace('{id}', `$${name}`));
  if (ofNewJob === undefined) return shown;
  const made = line(ofNewJob, 'POST', jobsAddress);
  return `${name}=$(${made} | grep -o '${prefix}_[0-9A-Za-z]*' | head -n 1)\n${shown}`;
}

function javaScript(request: SampleRequest, base: string): string {
  const { method = 'GET', address, body, keyed, secret, ofNewJob } = request;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the template belongs to the sample
  const bearer = secret === undefined ? '`Bearer ${env.EXTRACT_API_KEY}`' : `'Bearer ${secret}'`;
  const key = keyed ? [`authorization: ${bearer}`] : [];
  const requestLines = (sent: unknown, verb: string, url: string) => {
    const headers = [...key, ...(sent === undefined ? [] : ["'content-type': 'application/json'"])];
    const options = [
      ...(verb === 'GET' ? [] : [`method: '${verb}'`]),
      ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
      ...(sent === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(sent)})`]),
    ];
    const rest = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
    const address = url.includes('${') ? `\`${base}${url}\`` : `'${base}${url}'`;
    return `await fetch(${address}${rest})`;
  };
  const made =
    ofNewJob === undefined
      ? []
      : [
          `const made = ${requestLines(ofNewJob, 'POST', jobsAddress)};`,
          'const { data: job } = await made.json();',
        ];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the templates belong to the sample
  const [ofSchedule, ofJob] = ['${job.schedule}', '${job.id}'];
  const shown = requestLines(
    body,
    method,
    address.replace('{id}', isOfSchedule(request) ? ofSchedule : ofJob),
  );
  return [
    ...(keyed && secret === undefined ? ["import { env } from 'node:process';", ''] : []),
    ...made,
    `const answer = ${shown};`,
    'if (!answer.ok) throw new Error(await answer.text());',
    'console.log(await answer.text());',
  ].join('\n');
}

/** What `urlopen` takes: an address alone, or a request with what goes beside it. */
function pythonRequest(url: string, parts: readonly string[]): string {
  if (parts.length === 0) return url;
  return `urllib.request.Request(\n${[url, ...parts].map((part) => `    ${part},\n`).join('')})`;
}

function python(request: SampleRequest, base: string): string {
  const { method = 'GET', address, body, keyed, secret, ofNewJob } = request;
  const key = isOfSchedule(request) ? 'schedule' : 'id';
  const sends = body !== undefined || ofNewJob !== undefined;
  const bearer = secret === undefined ? '"Bearer " + os.environ["EXTRACT_API_KEY"]' : `"Bearer ${secret}"`;
  const imports = [
    ...(sends ? ['json'] : []),
    ...(keyed && secret === undefined ? ['os'] : []),
    'urllib.request',
  ];
  const requestLines = (sent: unknown, verb: string, url: string) =>
    pythonRequest(url, [
      ...(verb === 'GET' ? [] : [`method="${verb}"`]),
      ...(keyed
        ? [sent === undefined ? 'headers=headers' : 'headers={**headers, "Content-Type": "application/json"}']
        : []),
      ...(sent === undefined ? [] : [`data=json.dumps(${JSON.stringify(sent)}).encode()`]),
    ]);
  const made = [
    `request = ${requestLines(ofNewJob, 'POST', `"${base}${jobsAddress}"`)}`,
    'with urllib.request.urlopen(request) as answer:',
    '    job = json.load(answer)["data"]',
  ];
  const url = `"${base}${address.replace('{id}', `" + job["${key}"] + "`)}"`.replace(/ \+ ""$/, '');
  return [
    `import ${imports.join(', ')}`,
    '',
    ...(keyed ? [`headers = {"Authorization": ${bearer}}`] : []),
    ...(ofNewJob === undefined ? [] : made),
    `request = ${requestLines(body, method, url)}`,
    'with urllib.request.urlopen(request) as answer:',
    '    print(answer.read().decode())',
  ].join('\n');
}

/** A request for curl, JavaScript and Python, against the server at `base`. */
export function requestSamples(request: SampleRequest, base: string): readonly RequestSample[] {
  return [
    { label: 'curl', language: 'sh', text: curl(request, base) },
    { label: 'JavaScript', language: 'js', text: javaScript(request, base) },
    { label: 'Python', language: 'python', text: python(request, base) },
  ];
}
