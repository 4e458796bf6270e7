import { readFile } from 'node:fs/promises';

/** A request of the load generator; placeholders in braces vary per request. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sent for each item created by the first request. */
  readonly then?: { readonly method: string; readonly path: string; readonly body: string };
}

/** A row of the report. `name`, `method`, `path`, `headers` and `body` suffice to measure any server. */
export interface Scenario extends Request {
  readonly name: string;
  /** `cached` repeats one request; `missing` varies it against a tiny cache. */
  readonly server: 'cached' | 'missing';
  readonly floor: 'memory' | 'statements' | 'transaction';
  /** Minimum ratio to the floor whose JSON is built in SQL and passed through as text. */
  readonly textTarget?: number;
  /** Status of the first response, by default 200. */
  readonly status?: number;
  /** Minimum ratio to the floor. */
  readonly target: number;
}

/** Values of placeholders. */
export type Values = Readonly<Record<string, string>>;

const filled = (template: string, values: Values): string =>
  template.replace(/\{(\w+)\}/g, (name: string, key: string) => values[key] ?? name);

/** The scenario with placeholders filled in. */
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

export async function readScenarios(): Promise<Scenario[]> {
  return JSON.parse(await readFile(new URL('scenarios.json', import.meta.url), 'utf8')) as Scenario[];
}
