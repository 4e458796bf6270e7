import { parseDocument, type Document } from 'yaml';
import { issuesOf } from '../../../../contracts/errors.js';
import { SchemaDocument } from '../../../../contracts/deployment/schema/schema-plan.js';
import type { Outputs } from '../../api/client.js';

export type SchemaPlan = Outputs['schema']['plan']['data'];
export type SchemaStep = SchemaPlan['steps'][number];

/** A document as it was typed, or why it is none. */
export type Reading = { readonly schema: SchemaDocument } | { readonly problems: readonly string[] };

/** JSON is YAML as well. */
const parsed = (text: string): Document => parseDocument(text, { uniqueKeys: true, merge: false });

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

/** Aliases are refused, because a few of them can mean any amount of data. */
function valueOf(text: string): { readonly value: unknown } | { readonly problems: readonly string[] } {
  const document = parsed(text);
  if (document.errors.length > 0)
    return { problems: document.errors.map(({ message }) => firstLine(message)) };
  try {
    return { value: document.toJS({ maxAliasCount: 0 }) };
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** Reads YAML or JSON; what the contract refuses is named with its place. */
export function readSchema(text: string): Reading {
  const read = valueOf(text);
  if ('problems' in read) return read;
  const checked = SchemaDocument.safeParse(read.value);
  if (checked.success) return { schema: checked.data };
  const problems = issuesOf(checked.error).map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return { problems };
}

type SchemaItem = { readonly apiName?: unknown };

const placeOf = (items: unknown, apiName: string): number =>
  Array.isArray(items) ? items.findIndex((item: SchemaItem | null) => item?.apiName === apiName) : -1;

/** Where a content type or field is in the document. */
function pathOf(
  document: Document,
  { kind, name, contentType }: SchemaStep,
): (string | number)[] | undefined {
  const { contentTypes } = document.toJS() as { readonly contentTypes?: readonly { fields?: unknown }[] };
  const type = placeOf(contentTypes, contentType ?? name);
  if (type === -1) return undefined;
  if (kind === 'contentType') return ['contentTypes', type];
  const field = placeOf(contentTypes?.[type]?.fields, name);
  return field === -1 ? undefined : ['contentTypes', type, 'fields', field];
}

const isJson = (text: string): boolean => text.trimStart().startsWith('{');

/** The document, in which something new is what had another name, so that entries keep their values. */
export function withRename(text: string, step: SchemaStep, from: string): string {
  const document = parsed(text);
  const path = pathOf(document, step);
  if (path === undefined) return text;
  document.setIn([...path, 'renamedFrom'], from);
  return isJson(text) ? JSON.stringify(document.toJS(), null, 2) : String(document);
}

/** What a step of the plan may have been called before: what the plan deletes of the same kind and type. */
export function formerNames({ steps }: Pick<SchemaPlan, 'steps'>, step: SchemaStep): string[] {
  if (step.action !== 'create' || (step.kind !== 'contentType' && step.kind !== 'field')) return [];
  return steps
    .filter(({ action, kind, contentType }) => {
      const isSamePlace = kind === step.kind && contentType === step.contentType;
      return action === 'delete' && isSamePlace;
    })
    .map(({ name }) => name);
}
