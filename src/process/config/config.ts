import { z } from 'zod';
import { cache } from './parts/cache.js';
import { database } from './parts/database.js';
import { http } from './parts/http.js';
import { queries, rates } from './parts/limits.js';
import { monitoring, processes, storage } from './parts/process.js';
import { previews, session } from './parts/session.js';
import { webhooks } from './parts/webhooks.js';
import type { SettingsPart, StartKind } from './setting.js';

/** Every part with its settings, in the order in which the documentation lists them. */
const parts = {
  http,
  database,
  cache,
  storage,
  processes,
  session,
  previews,
  webhooks,
  queries,
  rates,
  monitoring,
} as const;

/** The settings of a process by part, parsed once at start. A part receives its own slice. */
export type Config = { readonly [Name in keyof typeof parts]: ReturnType<(typeof parts)[Name]['slice']> };

/** A setting is missing or invalid. The message is one line that names each setting and the fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** One row of the table of settings; `defaultValue` is empty when there is none. */
export interface SettingDescription {
  readonly part: string;
  readonly name: string;
  readonly defaultValue: string;
  readonly meaning: string;
}

function defaultOf(setting: z.ZodType): string {
  const { data } = setting.safeParse(undefined);
  if (typeof data === 'boolean') return data ? '1' : '0';
  return typeof data === 'string' || typeof data === 'number' ? String(data) : '';
}

export const settingDescriptions: readonly SettingDescription[] = Object.entries(parts).flatMap(
  ([part, { settings }]) =>
    Object.entries<z.ZodType>(settings).map(([name, setting]) => ({
      part,
      name,
      defaultValue: defaultOf(setting),
      meaning: setting.description ?? '',
    })),
);

interface ReadPart {
  readonly slice: unknown;
  readonly issues: readonly string[];
  readonly problems: readonly string[];
}

function readPart<Shape extends z.ZodRawShape>(
  { settings, slice, problems }: SettingsPart<Shape, unknown>,
  given: Readonly<Record<string, string | undefined>>,
  start: StartKind,
): ReadPart {
  const { data, error } = z.object(settings).safeParse(given);
  if (error) {
    const issues = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    return { slice: undefined, issues, problems: [] };
  }
  return { slice: slice(data), issues: [], problems: problems?.(data, start) ?? [] };
}

/**
 * Reads the settings from an environment; an empty variable counts as unset.
 * @throws ConfigError when a setting is missing or invalid; values are never repeated, they may be secrets
 */
export function readConfig(env: NodeJS.ProcessEnv, purpose: StartKind['purpose'] = 'serve'): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const start = { purpose, isEmbedded: given.DATABASE_URL === undefined };
  const read = Object.entries(parts).map(
    ([name, part]) => [name, readPart<z.ZodRawShape>(part as never, given, start)] as const,
  );
  const issues = read.flatMap(([, part]) => part.issues);
  const problems = issues.length > 0 ? issues : read.flatMap(([, part]) => part.problems);
  if (problems.length > 0) throw new ConfigError(`Wrong settings: ${problems.join('; ')}.`);
  return Object.fromEntries(read.map(([name, { slice }]) => [name, slice])) as unknown as Config;
}
