import type { SchemaPlan, SchemaStep } from '../../../contracts/vocabulary/schema-plan.js';

const signs = { create: '+', rename: '>', update: '~', replace: '!', delete: '-' } as const;

const kinds = {
  contentType: 'content type',
  field: 'field',
  customFieldType: 'custom field type',
  workflow: 'workflow',
  role: 'role',
} as const;

const LONGEST_VALUE = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

const count = (number: number, one: string, several: string): string =>
  `${String(number)} ${number === 1 ? one : several}`;

function linesOf({ action, kind, name, contentType, from, changes, lost, blocker }: SchemaStep): string[] {
  const path = contentType === null ? name : `${contentType}.${name}`;
  const former = from === null ? '' : ` (was ${from})`;
  const loss =
    lost === null || lost.entries === 0
      ? ''
      : `, loses ${count(lost.values, 'value', 'values')} of ${count(lost.entries, 'entry', 'entries')}`;
  return [
    `${signs[action]} ${action} ${kinds[kind]} ${path}${former}${loss}`,
    ...changes.map(({ key, before, after }) => `    ${key}: ${shown(before)} -> ${shown(after)}`),
    ...(blocker === null ? [] : [`    cannot be applied now: ${blocker.code}`]),
  ];
}

/** For people. */
export function printPlan({ steps, warnings }: SchemaPlan): string {
  if (steps.length === 0) return 'The schema is up to date.\n';
  const notes = warnings.map(
    ({ contentType, field, target, code }) => `warning: ${contentType}.${field} names ${target}: ${code}`,
  );
  return `${[...steps.flatMap(linesOf), ...notes, count(steps.length, 'step', 'steps')].join('\n')}\n`;
}
