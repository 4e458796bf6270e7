import { isAllowed, type Grant, type Rights } from '../../../../access/grants.js';

export interface Overridden {
  readonly entryId: string;
  readonly locale: string;
  readonly workflow: string;
  readonly state: string;
}

interface Place {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
}

/** Lets strict workflows be overridden within grants, and notes where they were (rule workflows/strict). */
export class ApprovalOverride {
  readonly #used = new Map<string, Overridden>();
  readonly #rights: Rights;

  constructor(grants: readonly Grant[], environmentSlug: string) {
    this.#rights = { grants, environmentSlug };
  }

  allows(
    { id, contentTypeId, siteId }: Place,
    { locale, workflow, state }: Omit<Overridden, 'entryId'>,
  ): boolean {
    const target = { contentTypeId, siteId, locales: [locale] };
    if (!isAllowed(this.#rights, 'workflows.override', target)) return false;
    this.#used.set(`${id} ${locale}`, { entryId: id, locale, workflow, state });
    return true;
  }

  get used(): readonly Overridden[] {
    return [...this.#used.values()];
  }
}
