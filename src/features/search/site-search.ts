import type { DeliveryRead, FilterInput } from '../delivery/index.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { SearchServices } from './search-services.js';

/** A delivery read that searches: the index is read in units of work of the caller. */
export interface SiteSearch {
  readonly read: DeliveryRead;
  readonly services: SearchServices;
  inUnit<T>(run: (work: UnitOfWork) => Promise<T>): Promise<T>;
}

/** What to find on a site. */
export interface SiteQuery {
  readonly siteSlug: string;
  readonly locale?: string | undefined;
  readonly q?: string | undefined;
  readonly contentTypeApiName?: readonly string[] | undefined;
  readonly filter?: FilterInput | undefined;
  readonly sort?: string | undefined;
  readonly facets?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly highlight: boolean;
  readonly limit: number;
  readonly offset: number;
}
