export interface SampleRequest {
  readonly method?: string;
  /** Path and query, such as `/v1/account`. */
  readonly address: string;
  readonly body?: unknown;
  /** False for a demo call, which needs no key. */
  readonly keyed: boolean;
  /** The key itself, on the only page that shows it. Other samples read `EXTRACT_API_KEY`. */
  readonly secret?: string | undefined;
  /** The body of a preceding request that creates a job. `{id}` in the address is that job's. */
  readonly ofNewJob?: unknown;
  /** True if that job must have finished. */
  readonly afterJob?: boolean;
  /** True for a call of an endpoint, whose data fits a table. */
  readonly reads?: boolean;
}

/** The request for a shell and two languages. Each sample runs as shown, given a key. */
export interface RequestSample {
  readonly label: string;
  readonly language: 'sh' | 'js' | 'python';
  readonly text: string;
}

export const jobsAddress = '/v1/jobs';

/** Returns true if `{id}` is the id of the schedule created with the new job. */
export const isOfSchedule = ({ address }: SampleRequest) => address.startsWith('/v1/schedules/');
