import type { Catalog } from '../../../content/catalog.js';
import type { DeliverySurface } from '../../../procedures/index.js';
import type { Answer } from '../answer.js';

export interface AnswerSource {
  /** When it was made: a change of the project purges the answer. */
  readonly catalog: Catalog;
  readonly surface: DeliverySurface;
  readonly tags: readonly string[];
}

/** Undefined if the answer must not be stored. */
export function sourceOf({ status, delivery }: Answer): AnswerSource | undefined {
  if (delivery === undefined || (status !== 200 && status !== 404)) return undefined;
  const { catalog, trace, call } = delivery;
  if (catalog === null || trace.isPreview || trace.isUnstored) return undefined;
  const surface = call.surface === 'graphql' ? 'graphql' : 'rest';
  return { catalog, surface, tags: trace.tags(catalog.data.environment.id) };
}
