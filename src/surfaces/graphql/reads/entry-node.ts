import type { EntryContent } from '../../../../contracts/resources/content-entry.js';
import type { DocumentLoader } from '../loaders/document-loader.js';

export interface EntryPlace {
  /** Same source and locales as the entry. */
  readonly loader: DocumentLoader;
  /** References followed from the root entry. */
  readonly hops: number;
}

/** The source value of an entry's resolvers. */
export interface EntryNode {
  readonly typeName: string;
  readonly entry: EntryContent;
  readonly place: EntryPlace;
}

export function valueOf({ entry: { fields } }: EntryNode, apiName: string): unknown {
  return Object.hasOwn(fields, apiName) ? fields[apiName] : undefined;
}
