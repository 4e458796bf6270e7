import type { EntryContent } from '../../../../contracts/resources/content-entry.js';
import type { DocumentLoader } from '../loaders/document-loader.js';

/** Where an entry is in a result. */
export interface EntryPlace {
  /** Loads what the entry refers to, from the same source and locales. */
  readonly loader: DocumentLoader;
  /** References followed from the entry of the root field. */
  readonly hops: number;
}

/** The value that resolvers of an entry's fields receive. */
export interface EntryNode {
  readonly typeName: string;
  readonly entry: EntryContent;
  readonly place: EntryPlace;
}

/** The delivered value of a field; undefined if the entry has none. */
export function valueOf({ entry: { fields } }: EntryNode, apiName: string): unknown {
  return Object.hasOwn(fields, apiName) ? fields[apiName] : undefined;
}
