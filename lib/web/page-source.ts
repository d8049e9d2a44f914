import type { ErrorCode } from '../errors/catalogue.js';
import type { RefusedScope } from '../errors/extract-error.js';
import type { CallSignal } from '../runtime/abort.js';
import type { RawHeaders } from './headers.js';

/**
 * The pages of a platform, from one of four implementations: the network, a browser, `fixtures/` (demo) and saved
 * pages. A reader fetches pages through a session and does not know which one answers.
 */

/** A polite pace of requests. */
export interface Gap {
  /** Milliseconds between the starts of two requests. */
  readonly ms: number;
  /** Concurrent requests. */
  readonly concurrency: number;
  /** Requests per hour; unlimited by default. */
  readonly perHour?: number;
}

/** How to request a platform's pages. Defined in `platforms/<name>/site.ts`. */
export interface Site {
  /** In paths and settings. */
  readonly platform: string;
  /** The common name, such as “TikTok”. */
  readonly brand: string;
  /** The word that people type, such as `tiktok`. */
  readonly alias: string;
  /**
   * Host names to which redirects are followed: an exact name, or `.example.com` for that name and all its subdomains.
   */
  readonly hosts: readonly string[];
  /** Headers of every request, besides the user agent. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * What is paced, refused and rested independently, by name; requests that name none use the first. Values are polite
   * defaults.
   */
  readonly surfaces: Readonly<Record<string, Gap>>;
  /** How the site sheds load: a 503 with these words. Retried once per session, after this wait. */
  readonly overload?: { readonly words: string; readonly waitMs: number };
  /** Largest body to read, in bytes after decompression. */
  readonly maxBytes: number;
  readonly browser?: SiteInBrowser;
  /**
   * Matches the name of a page's kind in its source, as the first group. Only describes what was seen after a failure.
   */
  readonly pageNames?: RegExp;
  /** Request header that names the requested document. */
  readonly documentHeader?: string;
  /** The hosts of the platform's pictures and videos. Omit if its objects link to none. */
  readonly media?: MediaSite;
}

/** The hosts of a platform's pictures and videos, and the fields that link to them. */
export interface MediaSite {
  /** Host names, as in sites; nothing is fetched from any other host. */
  readonly hosts: readonly string[];
  /** Fields with an address, by object name: names joined by dots, through lists, too. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** The object whose page links to captions; optional. */
  readonly captions?: string;
  /** Polite default pace. */
  readonly pace: Gap;
}

/** What only a browser needs to know of a site's pages. */
interface SiteInBrowser {
  /** Hosts from which the pages load scripts. Only these and the site's own hosts are reachable. */
  readonly hosts: readonly string[];
  /** Questions asked before a page is shown, and what a visitor clicks to decline. */
  readonly walls?: readonly {
    /** The host that asks; by default the page itself. */
    readonly host?: string;
    /** CSS selector of the element to click. */
    readonly press: string;
  }[];
}

/** The gestures by which a visitor makes a page load more. Each target is a CSS selector. */
export interface Gestures {
  /** Clicked once, in order, before the list is looked for: a tab, or a menu and its entry. */
  readonly open?: readonly string[];
  /** True if that restarts the list, so that earlier requests do not count. */
  readonly restarts?: boolean;
  /** Scrolled to its end repeatedly: the page, or this part of it. */
  readonly scroll?: string;
  /** Clicked repeatedly as long as it exists: “more”. */
  readonly press?: string;
}

/** A request that a page sends on its own, and how to recognise it. */
export interface PageRequestByScript {
  readonly page: string;
  /** Paths of the request; one that ends in `/` covers all paths below it. */
  readonly paths: readonly string[];
  /** Exact parameters of its query or form. */
  readonly params?: Readonly<Record<string, string>>;
  /** Strings in its decoded URL or body, such as the ID of the subject. */
  readonly carries?: readonly string[];
  /** Further criteria of a request for a later part; omitted for the first. */
  readonly from?: Pick<PageRequestByScript, 'params' | 'carries'>;
  /**
   * Matches the cursor in the URL or body of a request for a later part, and nothing in a request for the first. A page
   * may show the first part itself and request only the rest.
   */
  readonly later?: RegExp;
  /**
   * The first part, if the page may embed it instead of requesting it: a JSON string in its document that begins like
   * this and contains these strings.
   */
  readonly embedded?: { readonly begins: string; readonly carries: readonly string[] };
  /** Strings of which an answer with items contains one. A page may ask again after an empty answer. */
  readonly holds?: readonly string[];
  readonly gestures?: Gestures;
}

/** How a browser obtains the answer to a request. Without it the request is a page to open. */
export interface InBrowser {
  /**
   * Strings of which a complete document contains one. If the served document has none, the page's scripts get time to
   * run.
   */
  readonly holds?: readonly string[];
  readonly pageRequest?: PageRequestByScript;
}

/** A request as sent and its response as received. Each redirect and each retry is one exchange. */
export interface WireExchange {
  /** When the request was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly requestHeaders: RawHeaders;
  readonly requestBody: string | null;
  readonly status: number;
  readonly headers: RawHeaders;
  /** The response body, decompressed. */
  readonly body: Uint8Array;
}

export interface PageRequest {
  /** Address of the page. */
  readonly url: string;
  /** The surface of the site; by default the first. */
  readonly surface?: string;
  /** GET by default. */
  readonly method?: 'GET' | 'POST';
  /** Headers of this request, overriding the site's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of a POST, already encoded. */
  readonly body?: string;
  /** Milliseconds to wait before sending it. */
  readonly afterMs?: number;
  /**
   * For a response with more items than one call returns: `keep` stores it for the calls that continue in it, `take`
   * uses one stored some minutes ago. A request without either is always sent.
   */
  readonly rest?: 'keep' | 'take';
  /** How a browser obtains the same answer. */
  readonly browser?: InBrowser;
  /** Called with each exchange of the request, for plain network requests only. */
  readonly onExchange?: ((exchange: WireExchange) => void) | undefined;
}

/** One response, whatever its status. */
export interface Page {
  /** The final address, after redirects. */
  readonly url: string;
  /** A 3xx means a redirect off the site's hosts, or one too many; `headers.location` has its target. */
  readonly status: number;
  /** Lower-case names. `retry-after` is in whole seconds, whichever form the platform sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, decompressed. */
  readonly body: Uint8Array;
  /** Decodes the body by the charset in its headers (UTF-8 if none). */
  text(): string;
}

/**
 * A reopened page cannot continue its list, because the platform's tokens are valid for one visit. The caller continues
 * after the items it has already seen.
 */
export class PositionLost extends Error {
  override readonly name = 'PositionLost';
}

/** The outcome of one route. */
export interface Attempt {
  readonly route: string;
  readonly surface: string;
  readonly outcome: 'answered' | ErrorCode;
  /** What the platform did, without details of the request. */
  readonly cause?: string;
  /** Seconds that the platform asked to wait. */
  readonly retryAfter?: number;
  /** The subject for which the platform returned its error page. */
  readonly subject?: string;
  /** What the platform refused; by default the subject. */
  readonly scope?: RefusedScope;
}

/** The requests of one call, which share the cookies that the site sets. */
export interface PageSession {
  /** True if pages are opened in a browser, so that requests that only a page can send are answered. */
  readonly runsPages?: boolean;
  /**
   * Returns the response to one request, at the platform's pace. Throws ExtractError `platform_unavailable`,
   * `platform_timeout` or (body over the limit) `platform_changed`, the platform's last refusal during a cooldown, and
   * the signal's reason if aborted. An HTTP status is never an exception.
   */
  fetch(request: PageRequest): Promise<Page>;
  /**
   * Value of a cookie that the site set for that URL during this session, or null. A promise if the session lives in
   * another thread.
   */
  cookie(url: string, name: string): string | null | Promise<string | null>;
  /** Surfaces of the site that refused within the hour and have not answered since; by default none. */
  refusedLately?(): Promise<readonly string[]>;
  /**
   * Records the outcome of a route. If any was recorded, these determine which surfaces rest, not the session's end.
   */
  report?(attempt: Attempt): void;
  /**
   * Reports to the source how the session ended, once. A refusal starts the platform's cooldown; an answer (including
   * “not found”) to a session that started after it ends it. Requests in flight are aborted. `continues`: the list has a
   * further part, which may be requested next. Returns the error for the caller, which earlier sessions may have
   * changed.
   */
  end(error?: unknown, continues?: boolean): unknown;
}

/** The caller of a session, and the state it continues from. */
export interface SessionOptions {
  /** Identifies the subject, because a refusal may apply to it alone. */
  readonly subject?: string | undefined;
  /** An account or a job; callers take turns when they wait for the same thing. */
  readonly caller?: string | undefined;
  /** The charged account. An account that was refused alone waits before the others do. */
  readonly account?: string | undefined;
  /** True if a listing continues, so that the visit left open by the previous page may be resumed. */
  readonly continues?: boolean | undefined;
  /** True if the next part will be requested once this one has arrived. */
  readonly readsOn?: boolean | undefined;
}

/** The same pages through a browser. */
export interface BrowserFallback {
  /** `refused`: if plain requests are refused or end early. `always`: instead of plain requests. */
  readonly when: 'refused' | 'always';
  /** Returns the browser's page source, loaded on first use. */
  source(): Promise<PageSource>;
}

/** A browser that is missing, or not wanted. */
export interface NoBrowser {
  readonly when: 'never';
}

export interface PageSource {
  /**
   * Opens a session. Throws the platform's last refusal (`platform_blocked`, `platform_rate_limited`, with
   * `retryAfter`) during its cooldown. Aborting the signal ends every request of the session.
   */
  open(site: Site, signal?: CallSignal, options?: SessionOptions): PageSession;
  /** Surfaces that refused within the hour. Omit if no platform is requested. */
  refusedLately?(site: Site): Promise<readonly string[]>;
  /** The same pages through a browser. Omit if browsers do not apply. */
  readonly browser?: BrowserFallback | NoBrowser | undefined;
  close(): Promise<void>;
}

export const firstSurface = ({ surfaces }: Pick<Site, 'surfaces'>): string =>
  Object.keys(surfaces)[0] ?? 'page';

export const withFetch = (session: PageSession, fetch: PageSession['fetch']): PageSession => ({
  ...(session.runsPages === undefined ? {} : { runsPages: session.runsPages }),
  fetch,
  cookie: (url, name) => session.cookie(url, name),
  refusedLately: async () => (await session.refusedLately?.()) ?? [],
  report: (attempt) => session.report?.(attempt),
  end: (error, continues) => session.end(error, continues),
});
