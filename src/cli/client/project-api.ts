const TIMEOUT_MILLISECONDS = 120_000;

/** One line for people about a request that had no response. */
export function unreachable(address: string, error: unknown): Error {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${address} cannot be reached: ${reason}`, { cause: error });
}

/** A failure with its code and details. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall';

  constructor(
    readonly code: string,
    message: string,
    readonly details: unknown,
  ) {
    super(message);
  }
}

interface Failure {
  readonly error?: string;
  readonly message?: string;
  readonly details?: unknown;
}

export interface ServiceOptions {
  /** Of the project: `https://…/api/v1/projects/{slug}`. */
  readonly url: string;
  readonly key: string;
  readonly environment: string | undefined;
  /** Confirms an apply. */
  readonly confirmToken: string | undefined;
}

/** Calls operations of a project of a running service, over REST. */
export class ProjectApi {
  constructor(private readonly options: ServiceOptions) {}

  /** `data` of the response. */
  async read<T>(path: string): Promise<T> {
    return ((await (await this.send('GET', path)).json()) as { data: T }).data;
  }

  async post<T>(path: string, body: object): Promise<T> {
    const response = await this.send('POST', path, body);
    return ((await response.json()) as { data: T }).data;
  }

  /** @throws RefusedCall, or Error with one line for people */
  async send(method: string, path: string, body?: object): Promise<Response> {
    const { url, key, environment, confirmToken } = this.options;
    const address = `${url.replace(/\/+$/, '')}${path}`;
    const response = await fetch(address, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(environment !== undefined && { 'x-environment': environment }),
        ...(confirmToken !== undefined && { 'x-confirm-token': confirmToken }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    }).catch((error: unknown) => {
      throw unreachable(address, error);
    });
    if (response.ok) return response;
    const { error, message, details } = (await response.json().catch(() => ({}))) as Failure;
    if (error === undefined) throw new Error(`${address} returned ${String(response.status)}.`);
    throw new RefusedCall(error, message ?? error, details);
  }
}
