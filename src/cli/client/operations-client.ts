import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../contracts/errors.js';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { FieldInput } from '../../../contracts/content/fields/field.js';
import { toAppError } from '../../../contracts/procedure.js';
import type { Composition } from '../../process/compose.js';
import { newId } from '../../infrastructure/ids.js';
import { CallContext, type AppRouter } from '../../procedures/index.js';

const RETRIES = 6;
const FIRST_MILLISECONDS = 250;
const LONGEST_MILLISECONDS = 60_000;

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

type Pause = (milliseconds: number) => Promise<unknown>;

/** Repeats a call that fails with 503, or with 429 after the time that it names, a few times. */
async function retryPassing<T>(call: () => Promise<T>, pause: Pause = delay): Promise<T> {
  for (let retry = 0; ; retry += 1)
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AppError) || !passing.includes(error.code) || retry === RETRIES) throw error;
      await pause(pauseBefore(retry, error));
    }
}

const COMMANDS_HAVE_NO_CODE = 'The account has a second factor, whose code a command cannot ask for.';

type Inputs = inferRouterInputs<AppRouter>;
type Outputs = inferRouterOutputs<AppRouter>;

export type OperationInput<G extends keyof Inputs, V extends keyof Inputs[G]> = Inputs[G][V];

export type OperationsHost = Pick<Composition, 'services' | 'operations'>;

export type NewContentType = Omit<Inputs['contentTypes']['create'], 'projectSlug' | 'fields'> & {
  readonly fields: readonly FieldInput[];
};

export interface Login {
  readonly email: string;
  readonly password: string;
}

/**
 * Calls operations from inside the process through the gate: same checks and audit records as for a tRPC client.
 */
export class OperationsClient {
  #login: Login | undefined;
  #retry = <T>(call: () => Promise<T>): Promise<T> => call();

  /** @param credential an API key or session token; undefined for an anonymous caller */
  constructor(
    readonly host: OperationsHost,
    private credential?: string,
  ) {}

  /**
   * A client that renews its session when it has expired.
   * @throws AppError 401 `invalid_credentials`
   */
  static async login(host: OperationsHost, login: Login): Promise<OperationsClient> {
    const client = new OperationsClient(host);
    await client.#renew(login);
    return client;
  }

  /** A client with the same session that repeats calls while the service or its storage is busy or unavailable. */
  retrying(pause?: Pause): OperationsClient {
    const client = new OperationsClient(this.host, this.credential);
    client.#login = this.#login;
    client.#retry = (call) => retryPassing(call, pause);
    return client;
  }

  /**
   * @throws AppError for every failure; an unexpected one has the original error as `cause`
   */
  async call<G extends keyof Inputs, V extends keyof Inputs[G] & keyof Outputs[G]>(
    group: G,
    verb: V,
    input: Inputs[G][V],
  ): Promise<Outputs[G][V]> {
    const name = `${group}.${String(verb)}`;
    try {
      return (await this.#retry(() => this.#attempt(name, input))) as Outputs[G][V];
    } catch (error) {
      if (this.#login === undefined || !isAppError(error, 'session_expired')) throw error;
    }
    await this.#renew(this.#login);
    return (await this.#retry(() => this.#attempt(name, input))) as Outputs[G][V];
  }

  async #renew({ email, password }: Login): Promise<void> {
    const { data } = await new OperationsClient(this.host).call('sessions', 'login', { email, password });
    if ('secondFactor' in data)
      throw new AppError('second_factor_required', undefined, COMMANDS_HAVE_NO_CODE);
    this.credential = data.accessToken;
    this.#login = { email, password };
  }

  async #attempt(name: string, input: unknown): Promise<unknown> {
    const operation = this.host.operations.find((known) => known.name === name);
    if (operation === undefined) throw new Error(`unknown operation ${name}`);
    const context = new CallContext(this.host.services, {
      surface: 'trpc',
      authorization: this.credential === undefined ? undefined : `Bearer ${this.credential}`,
      requestId: newId(),
      ip: null,
      userAgent: 'headwater-cli',
      isCommand: true,
    });
    try {
      return await operation.call(context, input);
    } catch (error) {
      const failure = toAppError(error);
      if (failure.code === 'internal_error') failure.cause = error;
      throw failure;
    }
  }
}

export async function createContentType(
  client: OperationsClient,
  projectSlug: string,
  type: NewContentType,
): Promise<void> {
  await client.call('contentTypes', 'create', { projectSlug, ...type, fields: [...type.fields] });
}

export function isAppError(error: unknown, ...codes: AppError['code'][]): error is AppError {
  return error instanceof AppError && codes.includes(error.code);
}

/** Ignores refusals with these codes, such as those of what an earlier run did. */
export async function unlessRefused(call: Promise<unknown>, ...codes: AppError['code'][]): Promise<void> {
  await call.catch((error: unknown) => {
    if (!isAppError(error, ...codes)) throw error;
  });
}
