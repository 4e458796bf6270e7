/** The part of autocannon in use; the package has no types. */
declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    readonly requests: readonly {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      setupRequest(request: object): object;
    }[];
  }
  interface Outcome {
    readonly requests: { readonly total: number };
    readonly throughput: { readonly total: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly duration: number;
    readonly errors: number;
    readonly timeouts: number;
    readonly non2xx: number;
    readonly '3xx': number;
  }
  export default function autocannon(options: Options): Promise<Outcome>;
}
