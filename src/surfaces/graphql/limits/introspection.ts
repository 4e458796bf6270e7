import { visit, type DocumentNode } from 'graphql';
import { requestError } from '../errors/request-error.js';

/** `__typename` is part of reading content. */
export const isIntrospectionField = (name: string): boolean => name === '__schema' || name === '__type';

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
 * Specification 5 rule 2.
 * @throws GraphqlRequestError `introspection_disabled`
 */
export function assertMayIntrospect(isIntrospection: boolean, mayIntrospect: boolean): void {
  if (!isIntrospection || mayIntrospect) return;
  throw requestError(
    'introspection_disabled',
    'Delivery keys cannot introspect the schema. Use a preview or management key.',
  );
}
