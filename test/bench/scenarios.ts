import { readFile } from 'node:fs/promises';

/** One request as the load generator sends it; braces hold what changes from one to the next. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sent about every thing that the first request has made. */
  readonly then?: { readonly method: string; readonly path: string; readonly body: string };
}

/** One line of the report. Any server can be measured by `name`, `method`, `path`, `headers` and `body`. */
export interface Scenario extends Request {
  readonly name: string;
  /** `cached`: the same request again and again; `missing`: others each time, with a cache that holds next to nothing. */
  readonly server: 'cached' | 'missing';
  readonly floor: 'memory' | 'statements' | 'transaction';
  /** Of the first answer; 200 unless said. */
  readonly status?: number;
  /** Entries created and published per second meanwhile. */
  readonly publishing?: number;
  /** The least ratio to the floor that is aimed at. */
  readonly target: number;
}

/** What stands for the names in braces. */
export type Values = Readonly<Record<string, string>>;

const filled = (template: string, values: Values): string =>
  template.replace(/\{(\w+)\}/g, (name: string, key: string) => values[key] ?? name);

/** A scenario with its names filled in. */
export function fill<S extends Request>(scenario: S, values: Values): S {
  const { path, headers, body } = scenario;
  return {
    ...scenario,
    path: filled(path, values),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, filled(value, values)]),
    ),
    ...(body !== undefined && { body: filled(body, values) }),
  };
}

/** The scenarios of the file beside this one. */
export async function readScenarios(): Promise<Scenario[]> {
  return JSON.parse(await readFile(new URL('scenarios.json', import.meta.url), 'utf8')) as Scenario[];
}
