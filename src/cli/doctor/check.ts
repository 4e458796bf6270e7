import { toDatabaseFailure } from '../../persistence/work/unit-of-work.js';
import { databaseReason } from '../../process/run/shutdown.js';
import { isSecretName, redactText } from '../../infrastructure/redaction.js';
import { withTimeLimit } from '../../infrastructure/time-limit.js';

/** What a check found, and what to do about it. */
export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail';
  readonly what: string;
  readonly advice?: string;
}

export const ok = (what: string): Finding => ({ state: 'ok', what });
export const warn = (what: string, advice: string): Finding => ({ state: 'warn', what, advice });
export const fail = (what: string, advice: string): Finding => ({ state: 'fail', what, advice });

export interface Check {
  readonly name: string;
  /** What to do when it fails or takes too long. */
  readonly advice: string;
  run(): Promise<readonly Finding[]>;
}

export interface Report extends Finding {
  readonly name: string;
}

const REASON_LENGTH = 300;

/** `ECONNREFUSED` and the like, also below the failure that a client made of it. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errors } = error as { code?: unknown; errors?: readonly unknown[] };
  if (typeof code === 'string' && /^[A-Z0-9_]{3,60}$/.test(code)) return code;
  return codeOf(error.cause) ?? errors?.map(codeOf).find((one) => one !== undefined);
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { statusCode } = error as { statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : statusOf(error.cause);
}

/** One line. */
export function reasonOf(error: unknown): string {
  if (toDatabaseFailure(error) !== undefined) return databaseReason(error);
  const status = statusOf(error);
  if (status !== undefined) return `it responded with ${String(status)}`;
  const code = codeOf(error);
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : 'unknown failure';
  const text = code === undefined || message.includes(code) ? message : `${message} (${code})`;
  return text.slice(0, REASON_LENGTH);
}

async function examine({ name, advice, run }: Check, limitMs: number): Promise<Report[]> {
  try {
    const findings = await withTimeLimit(limitMs, run());
    return findings.map((finding) => ({ name, ...finding }));
  } catch (error) {
    return [{ name, ...fail(reasonOf(error), advice) }];
  }
}

/** Runs every check at once; each has the time limit. */
export async function runChecks(checks: readonly Check[], limitMs: number): Promise<Report[]> {
  return (await Promise.all(checks.map((check) => examine(check, limitMs)))).flat();
}

/** Values that no output may contain: those of settings whose names say so, and passwords of URLs. */
function secretsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const secrets = Object.entries(env).flatMap(([name, value = '']) => {
    const password = URL.parse(value.split(',')[0] ?? '')?.password ?? '';
    const isSecret = isSecretName(name) || /_KEY(_ID)?$|_KEY_/.test(name);
    return [...(isSecret ? [value] : []), password, decodeURIComponent(password)];
  });
  return [...new Set(secrets)].filter((secret) => secret.length > 3).sort((a, b) => b.length - a.length);
}

/** Replaces what must not be printed: foreign messages may quote what was sent. */
export function redactReports(reports: readonly Report[], env: NodeJS.ProcessEnv): Report[] {
  const secrets = secretsOf(env);
  const redact = (text: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), redactText(text));
  return reports.map(({ advice, ...report }) => ({
    ...report,
    what: redact(report.what),
    ...(advice !== undefined && { advice: redact(advice) }),
  }));
}

export const lineOf = ({ state, name, what, advice }: Report): string =>
  `${state}: ${name}: ${what}${advice === undefined ? '' : ` — ${advice}`}`;
