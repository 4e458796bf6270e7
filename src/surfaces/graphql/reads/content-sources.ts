import type { ContentSource } from '../../../../contracts/publishing/delivery/source-map.js';
import type { FieldDefinition } from '../../../content/catalog.js';
import { withHiddenSource } from '../../../content/source-maps.js';
import type { EntryNode } from './entry-node.js';

/** Where a value is in the result, as graphql-js has it. */
interface ResultPath {
  readonly prev: ResultPath | undefined;
  readonly key: string | number;
}

interface Owner {
  readonly entryId: string;
  readonly locale: string;
  /** Of a block within its entry, with a dot at the end. */
  readonly prefix: string;
}

export type SourceForm = 'json' | 'stega';

const pointerOf = ({ prev, key }: ResultPath): string =>
  `${prev === undefined ? '' : pointerOf(prev)}/${String(key)}`;

/** Collects of which fields the values of a result are (rule publication/preview-sessions). */
export class ContentSources {
  /** By JSON pointer into `data`. */
  readonly found: Record<string, ContentSource> = {};
  readonly #owners = new WeakMap<EntryNode, Owner>();

  constructor(readonly form: SourceForm) {}

  /** Remembers where the blocks among the targets of a field are. */
  place(parent: EntryNode, { apiName }: FieldDefinition, targets: readonly EntryNode[]): void {
    const { prefix, ...owner } = this.#ownerOf(parent);
    for (const target of targets) {
      const { _id, _slug } = target.entry;
      // A block that is part of an entry has its id as its slug (rule entries/own-blocks).
      if (_id === _slug) this.#owners.set(target, { ...owner, prefix: `${prefix}${apiName}[${_id}].` });
    }
  }

  /** Notes the source of a value; returns the value with it where it is hidden in strings. */
  note(node: EntryNode, field: FieldDefinition, at: ResultPath): (value: unknown) => unknown {
    const { entryId, locale, prefix } = this.#ownerOf(node);
    const source = { entryId, locale, path: prefix + field.apiName };
    this.found[pointerOf(at)] = source;
    return (value) => (this.form === 'stega' ? withHiddenSource(field, value, source) : value);
  }

  #ownerOf(node: EntryNode): Owner {
    const { _id, _locale } = node.entry;
    return this.#owners.get(node) ?? { entryId: _id, locale: _locale, prefix: '' };
  }
}
