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

const advice: Readonly<Record<string, string>> = {
  introspection_disabled: 'Use a preview or management key. Delivery keys cannot read the schema.',
  wrong_project: 'The key belongs to another project than the URL.',
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
 * @param url the project's GraphQL endpoint
 * @throws Error with one line for people
 */
export async function readProjectSchema(url: string, key: string): Promise<GraphQLSchema> {
  const response = await ask(url, key);
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (answer.data) return buildClientSchema(answer.data);
  const { error, message } = answer;
  const said =
    error === undefined
      ? `returned ${response.status} without a schema.`
      : `returned an error: ${message ?? error}`;
  throw new Error(`${url} ${said} ${advice[error ?? ''] ?? ''}`.trim());
}
