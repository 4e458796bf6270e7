import { GraphQLUnionType, type GraphQLInterfaceType, type GraphQLObjectType } from 'graphql';
import type { FieldDefinition } from '../../../content/catalog.js';
import type { EntryNode } from '../reads/entry-node.js';
import { contentEntryType } from '../system/system-schema.js';
import { unionTypeName } from './naming.js';

/** By `apiName`. */
export type EntryTypes = ReadonlyMap<string, GraphQLObjectType>;

export interface ReferenceTarget {
  readonly type: GraphQLObjectType | GraphQLUnionType | GraphQLInterfaceType;
  /** Allowed type names; null for all. */
  readonly typeNames: ReadonlySet<string> | null;
}

/** Existing types in the field's settings, sorted by name. */
function allowedTypes({ settings }: FieldDefinition, types: EntryTypes): GraphQLObjectType[] {
  const named = Array.isArray(settings.contentTypes) ? (settings.contentTypes as unknown[]) : [];
  const apiNames = [...new Set(named.map(String))].sort();
  return [...new Set(apiNames.flatMap((apiName) => types.get(apiName) ?? []))];
}

/** The allowed type, a union of several, or `ContentEntry` for none (specification 2.4). */
export function referenceTarget(field: FieldDefinition, owner: string, types: EntryTypes): ReferenceTarget {
  const allowed = allowedTypes(field, types);
  const [only] = allowed;
  if (only === undefined) return { type: contentEntryType, typeNames: null };
  const typeNames = new Set(allowed.map(({ name }) => name));
  if (allowed.length === 1) return { type: only, typeNames };
  const union = new GraphQLUnionType({
    name: unionTypeName(owner, field.apiName),
    description: `Entries that "${field.apiName}" of ${owner} can refer to.`,
    types: allowed,
    resolveType: (entry: EntryNode) => entry.typeName,
  });
  return { type: union, typeNames };
}
