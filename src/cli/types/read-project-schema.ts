import {
  buildClientSchema,
  getIntrospectionQuery,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';

const TIMEOUT_MILLISECONDS = 30_000;

interface Answer {
  readonly data?: IntrospectionQuery | null;
  readonly error?: string;
  readonly message?: string;
}

/** What to do about codes that a wrong call of the command leads to. */
const advice: Readonly<Record<string, string>> = {
  introspection_disabled: 'Use a preview or management key: delivery keys cannot read the schema.',
  wrong_project: 'The key belongs to another project than the address.',
};

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
};

async function ask(url: string, key: string): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query: getIntrospectionQuery() }),
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
  } catch (error) {
    throw new Error(`${url} cannot be reached: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * The schema of a project, as a key sees it that may introspect.
 * @param url address of the project's GraphQL endpoint
 * @throws Error with one line for people
 */
export async function readProjectSchema(url: string, key: string): Promise<GraphQLSchema> {
  const response = await ask(url, key);
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (answer.data) return buildClientSchema(answer.data);
  const { error, message } = answer;
  const said =
    error === undefined ? `answers ${response.status} without a schema` : `says: ${message ?? error}`;
  throw new Error(`${url} ${said} ${advice[error ?? ''] ?? ''}`.trim());
}
