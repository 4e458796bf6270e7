import type { Audience } from '../../contracts/metadata.js';
import { AppError } from '../../contracts/errors.js';
import {
  boundEnvironment,
  choosesEnvironment,
  selectedEnvironment,
  type Principal,
} from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import type { CatalogStore, EnvironmentName } from '../features/catalog/index.js';

interface Choice {
  readonly projectSlug: string;
  readonly audience: Audience;
  /** `X-Environment`. */
  readonly named: string | undefined;
}

/** No slug is longer. */
const LONGEST_SLUG = 63;

/** Delivery takes no selection: what an URL returns must not change with it. */
function chosenBy(principal: Principal, { audience, named }: Choice): EnvironmentName {
  const bound = boundEnvironment(principal);
  if (bound !== null) return bound;
  if (named === undefined) return audience === 'management' ? selectedEnvironment(principal) : null;
  return choosesEnvironment(principal) && named.length <= LONGEST_SLUG ? { slug: named } : null;
}

/**
 * Catalog of the environment of a call: the one that the key is bound to, that the call names, that the caller has
 * selected, or the default one, which also replaces one that is gone. Synchronous for catalogs in memory.
 */
export function catalogOfCall(
  catalogs: CatalogStore,
  principal: Principal,
  choice: Choice,
): Catalog | undefined | Promise<Catalog | undefined> {
  const { projectSlug } = choice;
  const chosen = chosenBy(principal, choice);
  const known = catalogs.peek(projectSlug, chosen);
  if (known !== undefined) return known;
  const found = catalogs.find(projectSlug, chosen);
  return chosen === null ? found : found.then((catalog) => catalog ?? catalogs.find(projectSlug, null));
}

/** @throws AppError 403 `environment_not_allowed`, 404 `environment_not_found` for another one than the call names */
export function assertNamed(principal: Principal, catalog: Catalog, named: string | undefined): void {
  if (named === undefined || named === catalog.data.environment.slug) return;
  const isOpen = boundEnvironment(principal) === null && choosesEnvironment(principal);
  throw new AppError(isOpen ? 'environment_not_found' : 'environment_not_allowed', { environment: named });
}
