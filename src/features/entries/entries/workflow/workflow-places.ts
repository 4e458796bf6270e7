import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { Catalog } from '../../../../content/catalog.js';
import { stateIn, type WorkflowDefinition } from '../../../../content/workflow/workflow-definition.js';
import { localeFor, localeToWrite } from '../access/entry-locale.js';
import { localeOf, type StoredEntry } from '../stored-entry.js';
import type { OutboxEvent } from '../../../../persistence/work/unit-of-work.js';
import type { EntryState } from '../entry.presenter.js';

/** Where an entry is in its workflow. */
export interface WorkflowPlace {
  readonly entry: StoredEntry;
  readonly workflow: WorkflowDefinition;
  /** The locale asked for, else the default one of the site. */
  readonly shown: string;
  /** Of the state; '' if the entry has one state. */
  readonly locale: string;
  readonly state: string;
}

/** Locales whose state it is; '' is the state of all locales. */
export const localesOf = (entry: StoredEntry, locale: string): string[] =>
  locale === '' ? entry.locales.map((state) => state.locale) : [locale];

/**
 * Undefined if no workflow applies.
 * @throws AppError 404 `locale_not_found`; 422 for a locale that is not written where each has its own state
 */
export function findWorkflowPlace(
  catalog: Catalog,
  entry: StoredEntry,
  wanted: string | undefined,
): WorkflowPlace | undefined {
  const shown = localeFor(catalog, entry, wanted);
  const workflow = catalog.workflowOf(entry);
  if (workflow === undefined) return undefined;
  if (workflow.perLocale && localeOf(entry, shown) === undefined) {
    const message = `The entry has no draft in ${shown}.`;
    throw invalidInput({ path: ['locale'], code: 'no_draft', message });
  }
  const locale = workflow.perLocale ? shown : '';
  return { entry, workflow, shown, locale, state: stateIn(workflow, entry.locales, shown) };
}

/**
 * Of a transition.
 * @throws AppError as {@link findWorkflowPlace}; 422 `type_not_localized`; 409 `invalid_transition` if no workflow
 *   applies
 */
export function workflowPlace(
  catalog: Catalog,
  entry: StoredEntry,
  wanted: string | undefined,
): WorkflowPlace {
  const place = findWorkflowPlace(catalog, entry, wanted && localeToWrite(catalog, entry, wanted));
  if (place !== undefined) return place;
  throw new AppError('invalid_transition', { state: null, allowed: [] }, 'No workflow applies to the entry.');
}

/** What the locales of a place have in common. */
export const assignmentOf = ({ entry, locale }: Pick<WorkflowPlace, 'entry' | 'locale'>) => {
  const state = locale === '' ? entry.locales[0] : localeOf(entry, locale);
  return { assigneeId: state?.assigneeId ?? null, dueAt: state?.dueAt ?? null };
};

const subject = ({ id, contentTypeApiName, siteId, locale, slug, version, status }: EntryState) => ({
  entryId: id,
  contentTypeApiName,
  siteId,
  locale,
  slug,
  version,
  status,
});

interface Step {
  readonly from: string;
  readonly to: string;
  readonly comment: string | null;
}

export const workflowEvent = (entry: EntryState, step: Step): OutboxEvent => ({
  type: 'entry.workflow_changed',
  data: { ...subject(entry), workflow: entry.workflow?.slug ?? null, ...step, assigneeId: entry.assigneeId },
});

export const approvalEvent = (entry: EntryState, step: Step): OutboxEvent => ({
  type: 'entry.approved',
  data: { ...subject(entry), workflow: entry.workflow?.slug ?? null, ...step },
});

export const assignedEvent = (entry: EntryState): OutboxEvent => ({
  type: 'entry.assigned',
  data: { ...subject(entry), assigneeId: entry.assigneeId },
});
