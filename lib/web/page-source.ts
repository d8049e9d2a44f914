import type { CallSignal } from '../runtime/abort.js';

/**
 * The port to the pages of a platform. Three sources stand behind it: the network, `fixtures/` (demo)
 * and pages saved earlier. A reader fetches pages through a session and does not know which source answers.
 */

/** How to request a platform's pages. Data of `platforms/<name>/site.ts`. */
export interface Site {
  /** Name of the platform, as paths and settings have it. */
  readonly platform: string;
  /** Host names whose redirects are followed: an exact name, or `.example.com` for it and all below it. */
  readonly hosts: readonly string[];
  /** Headers of every request, besides the user agent. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Polite defaults. */
  readonly pace: {
    /** Milliseconds between the starts of two requests. */
    readonly ms: number;
    /** Requests at once. */
    readonly concurrency: number;
  };
  /** Largest body that is read, in bytes after decompression. */
  readonly maxBytes: number;
  /**
   * Where a page says what kind of page it is: the first group of each match is a name. Looked for only after a
   * failure, for the report of what was seen.
   */
  readonly pageNames?: RegExp;
  /** Header in which a request names the document it asks for. */
  readonly documentHeader?: string;
  /** Where the platform keeps its pictures and videos; left out where its objects name none. */
  readonly media?: MediaSite;
}

/** Where a platform keeps pictures and videos, and which fields name them. */
export interface MediaSite {
  /** Host names, as those of a site: nothing is fetched from any other. */
  readonly hosts: readonly string[];
  /** Fields that hold an address, by the object's name: names joined by dots, through lists too. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Polite defaults, as those of a site. */
  readonly pace: Site['pace'];
}

/** One request of a session. */
export interface PageRequest {
  /** Address of the page. */
  readonly url: string;
  /** GET when left out. */
  readonly method?: 'GET' | 'POST';
  /** Headers of this request, over the site's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of a POST, already encoded. */
  readonly body?: string;
}

/** One answer, whatever its status. */
export interface Page {
  /** The final address, after the redirects that were followed. */
  readonly url: string;
  /** A 3xx here leads off the site's hosts, or is one redirect too many; `headers.location` says where. */
  readonly status: number;
  /** Lower-case names. `retry-after` is in whole seconds, whichever form the platform sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, decompressed. */
  readonly body: Uint8Array;
  /** The body as text, by the charset that the answer names (UTF-8 where it names none). */
  text(): string;
}

/** The requests of one call, which share the cookies that the site sets. */
export interface PageSession {
  /**
   * The answer to one request, after the platform's pace. Throws ExtractError `platform_unavailable`,
   * `platform_timeout` or (body over the bound) `platform_changed`, the platform's last refusal once it cools
   * down, and the signal's reason when aborted; an HTTP status is never an exception.
   */
  fetch(request: PageRequest): Promise<Page>;
  /** Value of a cookie the site set during this session for that URL, or null. */
  cookie(url: string, name: string): string | null;
  /**
   * Reports to the source how the session ended, once: a refusal starts the platform's cool-down, an answer to a
   * session begun after it (“not found” is one too) ends it. Requests still on their way are given up.
   */
  end(error?: unknown): void;
}

export interface PageSource {
  /**
   * Begins a session. Throws the platform's last refusal (`platform_blocked`, `platform_rate_limited`, with
   * `retryAfter`) while the platform is cooling down. Aborting the signal ends every request of the session.
   */
  open(site: Site, signal?: CallSignal): PageSession;
  /** Closes connections. */
  close(): Promise<void>;
}
