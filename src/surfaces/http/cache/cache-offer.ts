import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Catalog } from '../../../content/catalog.js';
import type { DeliveryCaller, DeliverySurface, OperationScope } from '../../../procedures/index.js';
import { Attached } from '../exchange-value.js';

/** Whose answer it is, and what it was made of: said by a surface that answers with published content. */
export interface CacheOffer {
  /** As it stands while the answer is kept: a change of the project takes the answer away. */
  readonly catalog: Catalog;
  readonly surface: DeliverySurface;
  readonly tags: readonly string[];
}

const callers = new Attached<IncomingMessage, DeliveryCaller>();

/** Hands on who asks, to whoever makes the answer within the same turn. */
export function handCaller(request: IncomingMessage, caller: DeliveryCaller): void {
  callers.set(request, caller);
}

/** Who asks, if that was just found out. */
export const handedCaller = (request: IncomingMessage): DeliveryCaller | undefined => callers.get(request);

const offers = new Attached<ServerResponse, () => CacheOffer | undefined>();

/**
 * Offers the answer under way to the response cache. Which it is kept under is asked when the answer is complete;
 * previews, and whatever the status says is no answer, are never kept.
 */
export function offerAnswer(
  response: ServerResponse,
  { trace, catalog }: OperationScope,
  surface: DeliverySurface,
): void {
  offers.set(response, () => {
    if (catalog === null || trace.isPreview || trace.isCounted) return undefined;
    return { catalog, surface, tags: trace.tags(catalog.data.environment.id) };
  });
}

/** What the answer on this response was offered with; undefined where it must not be kept. */
export const offerOf = (response: ServerResponse): CacheOffer | undefined => offers.get(response)?.();
