/** Types of the part that `bucket-server.ts` uses; the package has none. */
declare module '@20minutes/s3rver' {
  export interface KoaContext {
    readonly method: string;
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    readonly req: { readonly socket: { destroy(): void } };
    status: number;
    body: unknown;
    respond: boolean;
  }
  export type Middleware = (context: KoaContext, next: () => Promise<void>) => Promise<void>;
  // biome-ignore lint/style/noDefaultExport: that is how it comes.
  export default class S3rver {
    constructor(options: Readonly<Record<string, unknown>>);
    readonly middleware: Middleware[];
    readonly store: { getResourcePath(bucket: string, key: string | undefined, resource: string): string };
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
