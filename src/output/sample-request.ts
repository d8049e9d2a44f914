/** A request shown on a page. */
export interface SampleRequest {
  readonly method?: string;
  /** Path and query, such as `/v1/account`. */
  readonly address: string;
  /** JSON body. */
  readonly body?: unknown;
  /** False for a demo call, which needs no key. */
  readonly keyed: boolean;
  /** The key itself, on the one page that shows it. Other samples read `EXTRACT_API_KEY`. */
  readonly secret?: string | undefined;
  /** The body of the request before it, which creates a job. `{id}` in the address is the id of that job. */
  readonly ofNewJob?: unknown;
  /** True if that job must have ended. */
  readonly afterJob?: boolean;
  /** True for a call of an endpoint, whose data fits a table. */
  readonly reads?: boolean;
}

/** The same request for a shell and two languages. Each runs as shown, once it has its key. */
export interface RequestSample {
  readonly label: string;
  /** Name of the language in Markdown. */
  readonly language: 'sh' | 'js' | 'python';
  readonly text: string;
}

export const jobsAddress = '/v1/jobs';

/** Returns true if `{id}` is the id of the schedule created with the new job. */
export const isOfSchedule = ({ address }: SampleRequest) => address.startsWith('/v1/schedules/');
