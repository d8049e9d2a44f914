import type { ErrorCode } from '../errors/catalogue.js';
import type { CallSignal } from '../runtime/abort.js';
import type { RawHeaders } from './headers.js';

/**
 * The port to the pages of a platform. Four sources stand behind it: the network, a browser, `fixtures/` (demo)
 * and pages saved earlier. A reader fetches pages through a session and does not know which source answers.
 */

/** A polite pace of requests. */
export interface Gap {
  /** Milliseconds between the starts of two requests. */
  readonly ms: number;
  /** Requests at once. */
  readonly concurrency: number;
  /** Requests within an hour; any number if omitted. */
  readonly perHour?: number;
}

/** How to request a platform's pages. Data of `platforms/<name>/site.ts`. */
export interface Site {
  /** Name of the platform, as paths and settings have it. */
  readonly platform: string;
  /** The name that people know the platform by, such as “TikTok”. */
  readonly brand: string;
  /** The word that people type for it, such as `tiktok`. */
  readonly alias: string;
  /** Host names whose redirects are followed: an exact name, or `.example.com` for it and all below it. */
  readonly hosts: readonly string[];
  /** Headers of every request, besides the user agent. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * What is paced, refused and rests together, by name; the first one takes the requests that name none. Polite
   * defaults.
   */
  readonly surfaces: Readonly<Record<string, Gap>>;
  /** How the site sheds load: by a 503 with these words. Asked again once a session, after this wait. */
  readonly overload?: { readonly words: string; readonly waitMs: number };
  /** Largest body that is read, in bytes after decompression. */
  readonly maxBytes: number;
  /** The facts about the site's pages that a browser needs. */
  readonly browser?: SiteInBrowser;
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
  /** The object whose own page names captions; left out where none does. */
  readonly captions?: string;
  /** Polite defaults, as those of a site. */
  readonly pace: Gap;
}

/** The facts about a site's pages that only a browser needs. */
interface SiteInBrowser {
  /** Hosts that the pages' own scripts come from. These, the site's hosts and no others are reached. */
  readonly hosts: readonly string[];
  /** Questions that are asked before a page is shown, and what a visitor presses who declines. */
  readonly walls?: readonly {
    /** The host that asks; left out where the page itself does. */
    readonly host?: string;
    /** CSS selector of what is pressed. */
    readonly press: string;
  }[];
}

/** The gesture by which a visitor makes a page ask for more. Each target is a CSS selector. */
export interface Gestures {
  /** Pressed once, in order, before the list is looked for: a tab, a menu and its entry. */
  readonly open?: readonly string[];
  /** True where that begins the list anew: what was asked before it does not count. */
  readonly anew?: boolean;
  /** Scrolled to its end, again and again: the page, or the part of it that is named. */
  readonly scroll?: string;
  /** Pressed again and again, as long as it is there: “more”. */
  readonly press?: string;
}

/** A request that a page sends by itself, and what it is recognised by. */
export interface PageRequestByScript {
  /** Address of the page. */
  readonly page: string;
  /** Paths that the request may have; one that ends in `/` stands for all below it. */
  readonly paths: readonly string[];
  /** Parameters of its query or its form, exactly. */
  readonly params?: Readonly<Record<string, string>>;
  /** Texts that its address or body holds once decoded: the id of what is asked about. */
  readonly carries?: readonly string[];
  /** Further data of a request for a later part; left out for the first part. */
  readonly from?: Pick<PageRequestByScript, 'params' | 'carries'>;
  /**
   * Found in the address or the body of a request for a later part, and in none for the first: its cursor. A page may
   * show the first part by itself, and ask for the rest alone.
   */
  readonly later?: RegExp;
  /**
   * Where the page may hold the first part itself and not ask for it: a JSON text in its document that begins so, and
   * carries these texts.
   */
  readonly shown?: { readonly begins: string; readonly carries: readonly string[] };
  /** Texts of which an answer with items holds one. A page may ask again after an empty answer. */
  readonly holds?: readonly string[];
  readonly gestures?: Gestures;
}

/** How a browser comes by the answer to a request. Without it the request is a page to be opened. */
export interface InBrowser {
  /** Texts of which a whole document holds one. The page's scripts are waited for where the served one holds none. */
  readonly holds?: readonly string[];
  /** The page asks for it by itself. */
  readonly pageRequest?: PageRequestByScript;
}

/** A request as it was sent, and its answer as it came; of redirects and repeated requests each is one. */
export interface WireExchange {
  /** When the request was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly requestHeaders: RawHeaders;
  readonly requestBody: string | null;
  readonly status: number;
  readonly headers: RawHeaders;
  /** The answer's body, decompressed. */
  readonly body: Uint8Array;
}

/** One request of a session. */
export interface PageRequest {
  /** Address of the page. */
  readonly url: string;
  /** The site's surface that it goes to; its first one if omitted. */
  readonly surface?: string;
  /** GET when left out. */
  readonly method?: 'GET' | 'POST';
  /** Headers of this request, over the site's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of a POST, already encoded. */
  readonly body?: string;
  /** Milliseconds to wait before it is sent, as something may have come by then. */
  readonly afterMs?: number;
  /**
   * Of an answer that holds more than one call gives: `keep` it for the calls that read on in it, or `take` the one that
   * was kept some minutes ago. A request without either is always sent.
   */
  readonly rest?: 'keep' | 'take';
  /** How a browser comes by the same answer. */
  readonly browser?: InBrowser;
  /** Told of each exchange that the request led to; by plain requests over the network alone. */
  readonly onExchange?: ((exchange: WireExchange) => void) | undefined;
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

/**
 * A page that was opened anew cannot ask for the next part of its list. The platform's tokens hold for one visit, so the
 * caller goes on from the items that it has seen.
 */
export class PositionLost extends Error {
  override readonly name = 'PositionLost';
}

/** What came of asking one route. */
export interface Attempt {
  readonly route: string;
  readonly surface: string;
  readonly outcome: 'answered' | ErrorCode;
  /** The platform's action, in words that do not name the request. */
  readonly cause?: string;
  /** Seconds that the platform asked to wait. */
  readonly retryAfter?: number;
  /** The subject in whose place the platform showed its error page. */
  readonly subject?: string;
  /** True for a refusal of the address that asks, whatever it asks for. */
  readonly ofAddress?: boolean;
}

/** The requests of one call, which share the cookies that the site sets. */
export interface PageSession {
  /** True where pages are opened in a browser: requests that only a page itself can send are answered. */
  readonly runsPages?: boolean;
  /**
   * The answer to one request, after the platform's pace. Throws ExtractError `platform_unavailable`,
   * `platform_timeout` or (body over the bound) `platform_changed`. Throws the platform's last refusal once it cools
   * down, and the signal's reason when aborted. An HTTP status is never an exception.
   */
  fetch(request: PageRequest): Promise<Page>;
  /** Value of a cookie the site set during this session for that URL, or null. A thread of its own asks for it. */
  cookie(url: string, name: string): string | null | Promise<string | null>;
  /** Surfaces of the site that refused within the hour and have not answered since; none if omitted. */
  refusedLately?(): Promise<readonly string[]>;
  /** Notes what came of a route. If any was noted, they decide which surfaces rest, and not the session's end. */
  report?(attempt: Attempt): void;
  /**
   * Reports to the source how the session ended, once. A refusal starts the platform's cool-down. An answer to a
   * session begun after it ends it (“not found” is one too). Requests still on their way are given up. `goesOn`: the
   * list that was read has a further part, which may be asked for next. Returns the error that the caller is told, where
   * the sessions before make it another one.
   */
  end(error?: unknown, goesOn?: boolean): unknown;
}

/** The caller of a session, and the state it continues from. */
export interface SessionOptions {
  /** Tells what is asked about from other things: a refusal may be of that alone. */
  readonly subject?: string | undefined;
  /** An account or a job; callers take turns where they wait for the same thing. */
  readonly caller?: string | undefined;
  /** The account that is charged: one that was refused alone waits before the others do. */
  readonly account?: string | undefined;
  /** True where a listing goes on: a visit that the page before it left open may be gone on with. */
  readonly goesOn?: boolean | undefined;
  /** True where the next part is asked for as soon as this one is there. */
  readonly readsOn?: boolean | undefined;
}

/** Pages as a browser is given them. */
export interface BrowserFallback {
  /** `refused`: where plain requests are refused or end early. `always`: in their place. */
  readonly when: 'refused' | 'always';
  /** The browser's pages; it is loaded when first asked for. */
  source(): Promise<PageSource>;
}

/** A browser that is not there, and how to come by one. */
export interface NoBrowser {
  readonly when: 'never';
  /** The step by which the user gets one; null where none is wanted. */
  readonly hint: string | null;
}

export interface PageSource {
  /**
   * Begins a session. Throws the platform's last refusal (`platform_blocked`, `platform_rate_limited`, with
   * `retryAfter`) while the platform is cooling down. Aborting the signal ends every request of the session.
   */
  open(site: Site, signal?: CallSignal, options?: SessionOptions): PageSession;
  /** The same pages by a browser; left out where there is no question of one. */
  readonly browser?: BrowserFallback | NoBrowser | undefined;
  /** Closes connections. */
  close(): Promise<void>;
}

/** The surface of requests that name none. */
export const firstSurface = ({ surfaces }: Pick<Site, 'surfaces'>): string =>
  Object.keys(surfaces)[0] ?? 'page';

/** The same session with its fetches wrapped. */
export const withFetch = (session: PageSession, fetch: PageSession['fetch']): PageSession => ({
  ...(session.runsPages === undefined ? {} : { runsPages: session.runsPages }),
  fetch,
  cookie: (url, name) => session.cookie(url, name),
  refusedLately: async () => (await session.refusedLately?.()) ?? [],
  report: (attempt) => session.report?.(attempt),
  end: (error, goesOn) => session.end(error, goesOn),
});
