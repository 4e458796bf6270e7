import { AppError } from '../../../../../contracts/errors.js';
import type { Action } from '../../../../../contracts/rights.js';
import { isAllowed, type Grant, type Rights } from '../../../../access/grants.js';
import type { Catalog } from '../../../../content/catalog.js';
import { stateIn, stateOf } from '../../../../content/workflow/workflow-definition.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { StoredEntry } from '../stored-entry.js';
import type { VersionContent } from '../history.repository.js';
import { localeToWrite } from '../access/entry-locale.js';
import { assertVersion, authorizeEntry, entryPaths } from '../access/entry-rights.js';
import { EntryRepository } from '../entry.repository.js';
import type { ValuesRead } from '../anchored-values.js';

export interface Overridden {
  readonly entryId: string;
  readonly locale: string;
  readonly workflow: string;
  readonly state: string;
}

interface OverriddenPlace {
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
    { id, contentTypeId, siteId }: OverriddenPlace,
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

interface Approved {
  readonly locale: string;
  readonly override?: ApprovalOverride | undefined;
  /** Published instead of the draft: approved if it was live before, or is the version that the state is of. */
  readonly content?: VersionContent | undefined;
}

/**
 * Whether a strict workflow lets the locale be published (rule workflows/strict).
 * @throws AppError 409 `workflow_not_approved`
 */
export function assertApproved(
  catalog: Catalog,
  entry: StoredEntry,
  { locale, override, content }: Approved,
): void {
  const workflow = catalog.workflowOf(entry);
  if (workflow?.enforcement !== 'strict' || content?.wasLive === true) return;
  const state = stateIn(workflow, entry.locales, locale);
  const isSeen = content === undefined || content.version === entry.version;
  if (isSeen && stateOf(workflow, state)?.allowsPublish === true) return;
  if (override?.allows(entry, { locale, workflow: workflow.slug, state }) === true) return;
  const allowed = workflow.states.filter(({ allowsPublish }) => allowsPublish).map(({ key }) => key);
  throw new AppError('workflow_not_approved', { workflow: workflow.slug, state, allowed });
}

export interface LocaleTarget {
  readonly id: string;
  /** Defaults to the site's default locale. */
  readonly locale?: string | undefined;
  /** Expected current version of the entry. */
  readonly version?: number | undefined;
  /** Published instead of the draft. */
  readonly content?: VersionContent | undefined;
  /** When the source of an import published it; now by default. */
  readonly publishedAt?: Date | undefined;
}

/** Targets of one call with its comment. */
export interface TargetGroup {
  readonly targets: readonly LocaleTarget[];
  /** Kept with each publication. */
  readonly comment?: string | undefined;
  /** What a strict workflow has not approved is published within it. */
  readonly override?: ApprovalOverride | undefined;
  /** The call runs a job. It cancels no waiting ones. */
  readonly isJob?: boolean | undefined;
}

/** Locked and authorized. */
export interface LockedTarget {
  readonly id: string;
  readonly entry: StoredEntry;
  readonly locale: string;
  /** Published instead of the draft. */
  readonly content?: VersionContent | undefined;
  readonly publishedAt?: Date | undefined;
}

export interface Refusal {
  readonly id: string;
  readonly error: AppError;
}

/** `isChanged` is false for a no-op. */
export interface Applied {
  readonly id: string;
  readonly locale: string;
  readonly before: StoredEntry;
  readonly after: StoredEntry;
  readonly isChanged: boolean;
}

export type Outcome = Applied | Refusal;

export const isRefusal = (given: object): given is Refusal => 'error' in given;

export const isAdmitted = <T extends object>(given: T | Refusal): given is T => !isRefusal(given);

/** Converts a thrown AppError to a refusal. */
export function catchRefusal<T>(id: string, find: () => T): T | Refusal {
  try {
    return find();
  } catch (error) {
    if (error instanceof AppError) return { id, error };
    throw error;
  }
}

/** Throws the refusal of a single change. */
export function singleOutcome(outcomes: readonly Outcome[]): Applied {
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('Change returned no outcome');
  if (isRefusal(outcome)) throw outcome.error;
  return outcome;
}

interface TargetRequest {
  readonly catalog: Catalog;
  readonly targets: readonly LocaleTarget[];
  readonly values: ValuesRead;
  readonly action: Action;
  readonly override?: ApprovalOverride | undefined;
}

/** Locks entries in id order and resolves each locale. Targets must be distinct. */
export async function lockTargets(
  work: UnitOfWork,
  { catalog, targets, values, action, override }: TargetRequest,
): Promise<(LockedTarget | Refusal)[]> {
  const entries = await work.use(EntryRepository).lockAll(
    targets.map(({ id }) => id),
    values,
  );
  const paths = await entryPaths(work, action, [...entries.keys()]);
  return targets.map(({ id, locale, version, content, publishedAt }) =>
    catchRefusal(id, () => {
      const entry = entries.get(id.toLowerCase());
      if (entry === undefined) throw new AppError('entry_not_found');
      const code = localeToWrite(catalog, entry, locale);
      authorizeEntry(work, entry, { catalog, action, locales: [code], paths });
      assertVersion(entry, version);
      if (action === 'publish') assertApproved(catalog, entry, { locale: code, override, content });
      return { id, entry, locale: code, content, publishedAt };
    }),
  );
}
