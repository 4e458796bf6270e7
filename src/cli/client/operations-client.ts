import { AppError } from '../../../contracts/errors.js';
import { toAppError } from '../../../contracts/procedure.js';
import type { Composition } from '../../process/compose.js';
import { newId } from '../../infrastructure/ids.js';
import { CallContext } from '../../procedures/index.js';
import {
  COMMANDS_HAVE_NO_CODE,
  isAppError,
  retryPassing,
  type Inputs,
  type Login,
  type NewContentType,
  type Operations,
  type Outputs,
  type Pause,
} from './rest-operations.js';

export type OperationsHost = Pick<Composition, 'services' | 'operations'>;

/**
 * Calls operations from inside the process through the gate: same checks and audit records as for a tRPC client.
 */
export class OperationsClient implements Operations {
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

/** Ignores refusals with these codes, such as those of what an earlier run did. */
export async function unlessRefused(call: Promise<unknown>, ...codes: AppError['code'][]): Promise<void> {
  await call.catch((error: unknown) => {
    if (!isAppError(error, ...codes)) throw error;
  });
}
