import type { ServerResponse } from 'node:http';
import type { OperationScope } from '../../../procedures/index.js';

/** Whose answer it is, and what it was made of: said by a surface that answers with published content. */
export interface CacheOffer {
  readonly projectId: string;
  readonly environmentId: string;
  /** Whether callers without a credential may have it. */
  readonly isOpen: boolean;
  readonly tags: readonly string[];
}

const offers = new WeakMap<ServerResponse, () => CacheOffer | undefined>();

/**
 * Offers the answer under way to the response cache. Which it is kept under is asked when the answer is complete;
 * previews, and whatever the status says is no answer, are never kept.
 */
export function offerAnswer(
  response: ServerResponse,
  { trace, catalog }: OperationScope,
  isOpen: boolean,
): void {
  offers.set(response, () => {
    if (catalog === null || trace.isPreview) return undefined;
    const { project, environment } = catalog.data;
    const tags = trace.tags(environment.id);
    return { projectId: project.id, environmentId: environment.id, isOpen, tags };
  });
}

/** What the answer on this response was offered with; undefined where it must not be kept. */
export const offerOf = (response: ServerResponse): CacheOffer | undefined => offers.get(response)?.();
