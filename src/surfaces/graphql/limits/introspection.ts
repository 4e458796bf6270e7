import { visit, type DocumentNode } from 'graphql';
import { refusal } from '../errors/request-error.js';

/** Whether a root field asks for the schema itself. `__typename` does not: it is part of reading content. */
export const isIntrospectionField = (name: string): boolean => name === '__schema' || name === '__type';

/** Whether the schema is asked for anywhere in the document, fragments included. */
export function usesIntrospection(document: DocumentNode): boolean {
  let isUsed = false;
  visit(document, {
    Field: ({ name }) => {
      isUsed ||= isIntrospectionField(name.value);
    },
  });
  return isUsed;
}

/**
 * Keeps the schema from delivery keys (specification 5 rule 2).
 * @throws GraphqlRefusal `introspection_disabled`
 */
export function assertMayIntrospect(isIntrospection: boolean, mayIntrospect: boolean): void {
  if (!isIntrospection || mayIntrospect) return;
  throw refusal(
    'introspection_disabled',
    'Introspection is not available to delivery keys: use a preview or management key.',
  );
}
