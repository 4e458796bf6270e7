import type { DocumentSource, StoredDocument } from '../../../features/delivery/index.js';
import { ContentEntry } from '../system/content-entry.js';
import type { EntryLoader } from '../loaders/document-loader.js';

/** What a root query reads from: references below it follow the same source and locales. */
export interface EntryView {
  readonly source: DocumentSource;
  /** Fallback chain, best first. */
  readonly locales: readonly string[];
  readonly loader: EntryLoader;
}

/** Where an entry stands in an answer. */
export interface EntryPlace {
  readonly view: EntryView;
  /** References followed from the entry of the root query to this one. */
  readonly hops: number;
}

/** The names of an entry's type. */
export interface EntryTypeNames {
  readonly apiName: string;
  /** Name of the GraphQL type. */
  readonly typeName: string;
}

/** The value behind one entry of an answer. */
export class EntryNode extends ContentEntry {
  readonly typeName: string;

  constructor(
    document: StoredDocument,
    { apiName, typeName }: EntryTypeNames,
    readonly place: EntryPlace,
  ) {
    super(document, apiName);
    this.typeName = typeName;
  }

  /** The delivered value of a field; undefined where the document has none. */
  value(fieldApiName: string): unknown {
    return Object.hasOwn(this.document.fields, fieldApiName) ? this.document.fields[fieldApiName] : undefined;
  }
}
