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
  /** True where that job must have ended. */
  readonly afterJob?: boolean;
  /** True for a call of an endpoint, whose data a table can hold. */
  readonly reads?: boolean;
}

/** The same request for a shell and two programs; each runs as it stands, where it has its key. */
export interface RequestSample {
  readonly label: string;
  /** Name of the language, as Markdown has it. */
  readonly language: 'sh' | 'js' | 'python';
  readonly text: string;
}

export const jobsAddress = '/v1/jobs';

/** Whether `{id}` is that of the schedule which the new job begins. */
export const isOfSchedule = ({ address }: SampleRequest) => address.startsWith('/v1/schedules/');
