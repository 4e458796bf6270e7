import { AppError } from '../../../contracts/errors.js';
import type { Action } from '../../../contracts/rights.js';
import { refusal } from '../../access/authorize.js';
import type { Catalog } from '../../content/catalog.js';
import { stateIn, stateOf, type LocaleState } from '../../content/workflow/workflow-definition.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';

/** An entry with the states of its locales. */
export interface StatedEntry {
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly locales: readonly LocaleState[];
}

/** Written locales; null is for shared values, `any`: not known yet, absent: the whole entry. */
type Written = readonly (string | null)[] | 'any' | undefined;

/** Whether the caller has one of the roles. An empty list is everyone; keys have no role. */
export function hasOneRole({ scope }: UnitOfWork, roleIds: readonly string[]): boolean {
  if (roleIds.length === 0 || scope.isSuperAdmin === true || scope.actor.type === 'system') return true;
  return roleIds.some((id) => scope.roleIds?.includes(id) === true);
}

/** Whether any state is reserved for roles, so that states must be read. */
export const hasReservedStates = ({ data }: Catalog): boolean =>
  data.workflows.some(({ states }) => states.some(({ editableBy }) => editableBy.length > 0));

function statesConcerned(catalog: Catalog, entry: StatedEntry, written: Written): string[] {
  const workflow = catalog.workflowOf(entry);
  if (workflow === undefined || (workflow.perLocale && written === 'any')) return [];
  const all = entry.locales.map(({ locale }) => locale);
  const isWhole = written === undefined || written === 'any' || written.includes(null);
  const locales = isWhole ? all : written.filter((locale) => locale !== null);
  return locales.map((locale) => stateIn(workflow, entry.locales, locale));
}

/**
 * Whether the workflow lets the caller change the entry in its state (rule workflows/editable-by). Part of the permission checks of
 * every change of entries but publishing.
 * @throws AppError as for a missing permission, with the state
 */
export function assertEditable(
  work: UnitOfWork,
  entry: StatedEntry,
  { catalog, action, locales }: { catalog: Catalog; action: Action; locales?: Written },
): void {
  const workflow = catalog.workflowOf(entry);
  if (!workflow?.states.some(({ editableBy }) => editableBy.length > 0)) return;
  const reserved = statesConcerned(catalog, entry, locales).find(
    (key) => !hasOneRole(work, stateOf(workflow, key)?.editableBy ?? []),
  );
  if (reserved === undefined) return;
  const { code, details } = refusal(work, `entries.${action}`);
  const message = `The workflow lets only some roles change the entry in the state ${reserved}.`;
  throw new AppError(code, { ...(details as object), state: reserved }, message);
}
