const RESPONSE = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';

/** Weights in an `Accept` header; the highest if repeated. */
function weightsOf(accept: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const range of accept.slice(0, 2000).split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const stated = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = stated === undefined ? 1 : Number(stated.slice(2)) || 0;
    weights.set(name, Math.max(weights.get(name) ?? 0, weight));
  }
  return weights;
}

/**
 * GraphQL's media type only if named and not less preferred than JSON; `negotiator` would also choose it for
 * wildcards.
 */
export function responseMediaType(accept: string | undefined): string {
  const weights = weightsOf(accept ?? '');
  const own = weights.get(RESPONSE) ?? 0;
  return own > 0 && own >= (weights.get(JSON_TYPE) ?? 0) ? RESPONSE : JSON_TYPE;
}
