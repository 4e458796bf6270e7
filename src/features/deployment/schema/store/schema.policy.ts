import type { Action } from '../../../../../contracts/rights.js';
import { refusal } from '../../../../access/authorize.js';
import { isPermittedEverywhere, isPermittedSomewhere, readableValues } from '../../../../access/grants.js';
import { sections, type SchemaChange, type SchemaModel } from '../../../../content/schema/schema-model.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';

type Section = (typeof sections)[number];

/** As the gate decides for the operations of a resource without row checks. */
function isPermitted({ scope }: UnitOfWork, section: Section, action: Action): boolean {
  const test = scope.actor.type === 'api_key' ? isPermittedSomewhere : isPermittedEverywhere;
  return test(scope, `${section}.${action}`);
}

function isReadable(work: UnitOfWork, section: Section): boolean {
  if (section === 'contentTypes') return readableValues(work.scope, 'contentTypes', 'contentTypes') === null;
  return isPermitted(work, section, 'read');
}

/** The sections that the caller may read completely. */
export function readableSections(work: UnitOfWork, model: SchemaModel): SchemaModel {
  const readable = sections.filter((section) => isReadable(work, section));
  return Object.fromEntries(readable.map((section) => [section, model[section]]));
}

/** @throws AppError 403 `permission_denied` for a section that the caller cannot read completely */
export function assertReadable(work: UnitOfWork, model: SchemaModel): void {
  for (const section of sections)
    if (model[section] !== undefined && !isReadable(work, section)) throw refusal(work, `${section}.read`);
}

const verbs = {
  create: 'create',
  rename: 'update',
  update: 'update',
  replace: 'update',
  delete: 'delete',
} as const;
const sectionsByKind = {
  contentType: 'contentTypes',
  field: 'contentTypes',
  customFieldType: 'customFieldTypes',
  workflow: 'workflows',
  role: 'roles',
} as const;

/**
 * Every step needs the permission of the operation that makes it alone. Fields are part of their type, grants of
 * their role.
 * @throws AppError 403 `permission_denied`
 */
export function authorizeSteps(work: UnitOfWork, steps: readonly SchemaChange[]): void {
  for (const { kind, action } of steps) {
    const section = sectionsByKind[kind];
    const needed: Action[] = [kind === 'field' ? 'update' : verbs[action]];
    if (kind === 'role' && action === 'create') needed.push('update');
    for (const one of needed) if (!isPermitted(work, section, one)) throw refusal(work, `${section}.${one}`);
  }
}
