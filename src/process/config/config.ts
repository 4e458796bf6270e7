import type { z } from 'zod';
import {
  cache,
  mail,
  monitoring,
  processes,
  retention,
  storage,
  telemetry,
  translation,
  webhooks,
} from './parts/process.js';
import { database } from './parts/database.js';
import { http, queries, rates, previews, session } from './parts/http.js';
import { media } from './parts/media.js';
import { search } from './parts/search.js';
import type { StartKind } from './parts/setting.js';
import packageJson from '../../../package.json' with { type: 'json' };

/** In the order of the documentation. */
const parts = {
  http,
  database,
  cache,
  storage,
  processes,
  session,
  previews,
  webhooks,
  mail,
  media,
  search,
  translation,
  queries,
  rates,
  retention,
  monitoring,
  telemetry,
} as const;

/** Parsed once at start; each part receives its slice. */
export type Config = { readonly [Name in keyof typeof parts]: ReturnType<(typeof parts)[Name]['slice']> };

/** One line that names each setting and the fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** One row of the table of settings; `defaultValue` is empty when there is none. */
interface SettingDescription {
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
    Object.entries(settings).map(([name, setting]) => ({
      part,
      name,
      defaultValue: defaultOf(setting),
      meaning: setting.description ?? '',
    })),
);

/**
 * An empty variable counts as unset.
 * @throws ConfigError when a setting is missing or invalid; without values, which may be secrets
 */
export function readConfig(env: NodeJS.ProcessEnv, purpose: StartKind['purpose'] = 'serve'): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const start = { purpose, isEmbedded: given.DATABASE_URL === undefined };
  const all = Object.values(parts);
  const issues = all.flatMap((part) => part.issues(given));
  const problems = issues.length > 0 ? issues : all.flatMap((part) => part.problems(given, start));
  if (problems.length > 0) throw new ConfigError(`Wrong settings: ${problems.join('; ')}.`);
  return {
    http: http.slice(given),
    database: database.slice(given),
    cache: cache.slice(given),
    storage: storage.slice(given),
    processes: processes.slice(given),
    session: session.slice(given),
    previews: previews.slice(given),
    webhooks: webhooks.slice(given),
    mail: mail.slice(given),
    media: media.slice(given),
    search: search.slice(given),
    translation: translation.slice(given),
    queries: queries.slice(given),
    rates: rates.slice(given),
    retention: retention.slice(given),
    monitoring: monitoring.slice(given),
    telemetry: telemetry.slice(given),
  };
}

export const version: string = packageJson.version;
