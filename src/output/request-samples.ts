import { pythonSamples } from './python-samples.js';
import { isOfSchedule, jobsAddress, type RequestSample, type SampleRequest } from './sample-request.js';

function curl(request: SampleRequest, base: string): string {
  const { method = 'GET', address, body, keyed, secret, ofNewJob, afterJob } = request;
  const options = (body: unknown, verb: string) => [
    ...(verb === 'GET' ? [] : [`-X ${verb}`]),
    ...(keyed ? [`-H "Authorization: Bearer ${secret ?? '$EXTRACT_API_KEY'}"`] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`]),
  ];
  const line = (body: unknown, verb: string, url: string) =>
    ['curl -sS', ...options(body, verb), `"${base}${url}"`].join(
      body === undefined && verb === 'GET' ? ' ' : ' \\\n  ',
    );
  const [name, prefix] = isOfSchedule(request) ? ['SCHEDULE', 'sched'] : ['JOB', 'job'];
  const sample = line(body, method, address.replace('{id}', `$${name}`));
  if (ofNewJob === undefined) return sample;
  const jobRequest = line(ofNewJob, 'POST', jobsAddress);
  const idIn = (text: string, ofWhat: string) => `$(${text} | grep -o '${ofWhat}_[0-9A-Za-z]*' | head -n 1)`;
  if (afterJob !== true) return `${name}=${idIn(jobRequest, prefix)}\n${sample}`;
  return [
    `MADE=$(${jobRequest})`,
    `JOB=${idIn('echo "$MADE"', 'job')}`,
    ...(name === 'JOB' ? [] : [`${name}=${idIn('echo "$MADE"', prefix)}`]),
    `until ${line(undefined, 'GET', `${jobsAddress}/$JOB`)} | grep -q '"finished_at":"'; do sleep 1; done`,
    sample,
  ].join('\n');
}

function javaScript(request: SampleRequest, base: string): string {
  const { method = 'GET', address, body, keyed, secret, ofNewJob, afterJob } = request;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the template belongs to the sample
  const bearer = secret === undefined ? '`Bearer ${env.EXTRACT_API_KEY}`' : `'Bearer ${secret}'`;
  const key = keyed ? [`authorization: ${bearer}`] : [];
  const requestLines = (body: unknown, verb: string, url: string) => {
    const headers = [...key, ...(body === undefined ? [] : ["'content-type': 'application/json'"])];
    const options = [
      ...(verb === 'GET' ? [] : [`method: '${verb}'`]),
      ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
      ...(body === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(body)})`]),
    ];
    const rest = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
    const address = url.includes('${') ? `\`${base}${url}\`` : `'${base}${url}'`;
    return `await fetch(${address}${rest})`;
  };
  const jobRequest =
    ofNewJob === undefined
      ? []
      : [
          `const made = ${requestLines(ofNewJob, 'POST', jobsAddress)};`,
          `${afterJob === true ? 'let' : 'const'} { data: job } = await made.json();`,
        ];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the templates belong to the sample
  const [ofSchedule, ofJob] = ['${job.schedule}', '${job.id}'];
  const waitLines = [
    'while (job.finished_at === null) {',
    '  await new Promise((resolve) => setTimeout(resolve, 1000));',
    `  const read = ${requestLines(undefined, 'GET', `${jobsAddress}/${ofJob}`).replaceAll('\n', '\n  ')};`,
    '  job = (await read.json()).data;',
    '}',
  ];
  const sample = requestLines(
    body,
    method,
    address.replace('{id}', isOfSchedule(request) ? ofSchedule : ofJob),
  );
  return [
    ...(keyed && secret === undefined ? ["import { env } from 'node:process';", ''] : []),
    ...jobRequest,
    ...(afterJob === true ? waitLines : []),
    `const answer = ${sample};`,
    'if (!answer.ok) throw new Error(await answer.text());',
    'console.log(await answer.text());',
  ].join('\n');
}

/**
 * Formats a request for curl, JavaScript and Python, against the server at `base`; a call of an endpoint also for the
 * Python client.
 */
export function requestSamples(request: SampleRequest, base: string): readonly RequestSample[] {
  return [
    { label: 'curl', language: 'sh', text: curl(request, base) },
    { label: 'JavaScript', language: 'js', text: javaScript(request, base) },
    ...pythonSamples(request, base),
  ];
}
