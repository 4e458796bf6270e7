import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { FieldInput } from '../../../contracts/content/fields/field.js';
import { errorTable } from '../../../contracts/error-codes.js';
import { AppError } from '../../../contracts/errors.js';
import { registry, type OperationMeta, type RestMeta } from '../../../contracts/index.js';
import type { FileInput, FileSource } from '../../../contracts/media/media/media-file.js';
import type { AppRouter } from '../../procedures/index.js';
import { unreachable } from './project-api.js';

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

export type OperationInput<G extends keyof Inputs, V extends keyof Inputs[G]> = Inputs[G][V];

/** Calls operations by their names. */
export interface Operations {
  /**
   * @throws AppError for every failure of the operation
   */
  call<G extends keyof Inputs, V extends keyof Inputs[G] & keyof Outputs[G]>(
    group: G,
    verb: V,
    input: Inputs[G][V],
  ): Promise<Outputs[G][V]>;
}

export type NewContentType = Omit<Inputs['contentTypes']['create'], 'projectSlug' | 'fields'> & {
  readonly fields: readonly FieldInput[];
};

export interface Login {
  readonly email: string;
  readonly password: string;
}

export const COMMANDS_HAVE_NO_CODE = 'The account has a second factor, whose code a command cannot ask for.';

const RETRIES = 6;
const FIRST_MILLISECONDS = 250;
const LONGEST_MILLISECONDS = 60_000;
const TIMEOUT_MILLISECONDS = 120_000;

/** Failures that pass. */
const passing: readonly AppError['code'][] = [
  'service_unavailable',
  'storage_unavailable',
  'rate_limit_exceeded',
];

function pauseBefore(retry: number, { details }: AppError): number {
  const { retryAfter } = (details ?? {}) as { readonly retryAfter?: unknown };
  const asked = typeof retryAfter === 'number' ? retryAfter * 1000 : 0;
  // Spread, so that concurrent calls do not come back together.
  const backOff = FIRST_MILLISECONDS * 2 ** retry * (0.5 + Math.random() / 2);
  return Math.min(Math.max(asked, backOff), LONGEST_MILLISECONDS);
}

export type Pause = (milliseconds: number) => Promise<unknown>;

/** Repeats a call that fails with 503, or with 429 after the time that it names, a few times. */
export async function retryPassing<T>(call: () => Promise<T>, pause: Pause = delay): Promise<T> {
  for (let retry = 0; ; retry += 1)
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AppError) || !passing.includes(error.code) || retry === RETRIES) throw error;
      await pause(pauseBefore(retry, error));
    }
}

export function isAppError(error: unknown, ...codes: AppError['code'][]): error is AppError {
  return error instanceof AppError && codes.includes(error.code);
}

function metaOf(group: string, verb: string): RestMeta {
  const contracts = (registry as Record<string, Record<string, { _def: { meta?: OperationMeta } }>>)[group];
  const openapi = contracts?.[verb]?._def.meta?.openapi;
  if (openapi === undefined) throw new Error(`${group}.${verb} is not an operation of REST`);
  return openapi;
}

async function bytesOf(file: FileSource): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of file.open()) chunks.push(Uint8Array.from(chunk));
  return new Blob(chunks);
}

interface Listed<T> {
  readonly data: readonly T[];
  readonly meta: { readonly pages: number };
}

/** Every item of a list that has pages by number. */
export async function* everyItem<T>(read: (page: number) => Promise<Listed<T>>): AsyncGenerator<T> {
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { data, meta } = await read(page);
    yield* data;
    last = meta.pages;
  }
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map((one) =>
    typeof one === 'object' ? JSON.stringify(one) : String(one),
  );

/** A comma separates the values of a list. */
const parametersOf = (value: unknown): string[] =>
  textsOf(value).map((text) => (Array.isArray(value) ? text.replaceAll(',', String.raw`\,`) : text));

/** The parts of an upload, the file last. */
async function formOf(file: FileInput, others: ReadonlyMap<string, unknown>): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of others) for (const text of textsOf(value)) form.append(name, text);
  const bytes = 'open' in file ? await bytesOf(file) : new Blob([Buffer.from(file.content, 'base64')]);
  form.append('file', bytes, file.fileName);
  return form;
}

function readJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Calls operations of a running service over REST, by their names. */
export class RestOperations implements Operations {
  /**
   * @param url of the service
   * @param credential an API key or the access token of a session; empty for none
   * @param timeout milliseconds that a request may take
   */
  constructor(
    private readonly url: string,
    private readonly credential: string,
    private readonly timeout = TIMEOUT_MILLISECONDS,
  ) {}

  /** Calls with the rights of a user. */
  static async login(url: string, login: Login): Promise<RestOperations> {
    const { data } = await new RestOperations(url, '').call('sessions', 'login', login);
    if ('secondFactor' in data) throw new Error(COMMANDS_HAVE_NO_CODE);
    return new RestOperations(url, data.accessToken);
  }

  /** @throws AppError, or Error with one line for people */
  call: Operations['call'] = async (group, verb, input) =>
    (await retryPassing(() => this.#send(metaOf(group, String(verb)), input as object))) as never;

  async #send({ method, path: template, upload }: RestMeta, input: object): Promise<unknown> {
    const given = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
    const take = (key: string): unknown => {
      const value: unknown = given.get(key);
      given.delete(key);
      return value;
    };
    const path = template.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(take(key))));
    const address = new URL(`${this.url.replace(/\/+$/, '')}${path}`);
    const hasBody = method !== 'GET' && method !== 'DELETE';
    for (const key of hasBody ? (upload?.query ?? []) : [...given.keys()])
      if (given.has(key)) for (const text of parametersOf(take(key))) address.searchParams.append(key, text);
    const file = upload === undefined ? undefined : (take('file') as FileInput);
    const body = file === undefined ? JSON.stringify(Object.fromEntries(given)) : await formOf(file, given);
    return this.#fetch(address, { method, ...(hasBody && { body }) });
  }

  async #fetch(address: URL, request: RequestInit): Promise<unknown> {
    const headers = {
      ...(this.credential !== '' && { authorization: `Bearer ${this.credential}` }),
      ...(typeof request.body === 'string' && { 'content-type': 'application/json' }),
    };
    const signal = AbortSignal.timeout(this.timeout);
    const response = await fetch(address, { ...request, headers, redirect: 'error', signal }).catch(
      (error: unknown) => {
        throw unreachable(address.origin, error);
      },
    );
    const text = await response.text().catch((error: unknown) => {
      // A read is repeated; of a change nothing is known.
      if (request.method !== 'GET' || signal.aborted) throw unreachable(address.origin, error);
      throw new AppError('service_unavailable', {}, `${address.href} returned only a part of its response.`);
    });
    const answer = readJson(text);
    if (response.ok) return answer;
    const { error, message, details } = answer;
    // A proxy, or a later version of the service, has other codes.
    if (typeof error !== 'string' || !Object.hasOwn(errorTable, error))
      throw new Error(`${address.href} returned ${String(response.status)}.`);
    throw new AppError(error as AppError['code'], details, String(message));
  }
}

/**
 * A running service that a command calls: with a key, else with the session of `HEADWATER_EMAIL`.
 * @throws Error with one line for people
 */
export async function connect(given: {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
}): Promise<{ readonly url: string; readonly client: Operations }> {
  const { HEADWATER_URL, HEADWATER_KEY, HEADWATER_EMAIL: email, HEADWATER_PASSWORD: password } = process.env;
  const { url = HEADWATER_URL, key = HEADWATER_KEY } = given;
  if (!url || !URL.canParse(url))
    throw new Error('Set the address of the service with --url or HEADWATER_URL.');
  if (key) return { url, client: new RestOperations(url, key) };
  if (email && password) return { url, client: await RestOperations.login(url, { email, password }) };
  throw new Error('Set a management key with --key or HEADWATER_KEY.');
}
