import { isReservedFieldName, isReservedTypeName, typeNameOf } from '../../../content/model/api-names.js';
import type { FieldInput } from '../../../../contracts/content/fields/field.js';
import type { FieldKind } from '../../../../contracts/content/fields/field-kinds.js';
import type { ImportKind, ImportLoss } from '../../../../contracts/editorial/imports/import-job.js';
import { limits } from '../../../../contracts/limits.js';

export class Losses {
  /** As JSON, which needs the least memory. */
  readonly #lines = new Set<string>();
  /** Also of those that were taken. */
  readonly #counts = new Map<ImportKind, number>();

  /** The same loss counts once. */
  add(kind: ImportKind, where: string, [what, why, remedy]: readonly [string, string, string]): void {
    const line = JSON.stringify({ kind, where, what, why, remedy } satisfies ImportLoss);
    if (this.#lines.has(line)) return;
    this.#lines.add(line);
    this.#count(kind, 1);
  }

  #count(kind: ImportKind, change: number): void {
    this.#counts.set(kind, this.count(kind) + change);
  }

  /** Of a kind, with those that were taken. */
  count(kind: ImportKind): number {
    return this.#counts.get(kind) ?? 0;
  }

  /** Forgets those of some places. */
  drop(isDropped: (where: string) => boolean): void {
    for (const line of this.#lines) {
      const { kind, where } = JSON.parse(line) as ImportLoss;
      if (!isDropped(where)) continue;
      this.#lines.delete(line);
      this.#count(kind, -1);
    }
  }

  /** Removes the losses, so that they do not fill the memory. @returns them as JSON Lines */
  take(): string {
    const lines = [...this.#lines].map((line) => `${line}\n`).join('');
    this.#lines.clear();
    return lines;
  }
}

/** A link to an entry in a value of an entry; anywhere in it. */
export class EntryLink {
  constructor(
    readonly type: string,
    readonly id: string,
  ) {}
}

/** A link to an asset in a value of an entry; anywhere in it. */
export class AssetLink {
  constructor(readonly id: string) {}
}

/** An item of a field of blocks; alone, the object of a group. */
export class BlockValue {
  constructor(
    readonly type: string,
    /** Unique in the entry, and the same in every run. */
    readonly externalId: string,
    /** By id of the field. */
    readonly fields: readonly (readonly [field: string, value: unknown])[],
  ) {}
}

/** HTML whose pictures and links may be assets and entries of the export. */
export class HtmlText {
  constructor(
    readonly html: string,
    readonly targets: {
      /** Id of an asset. */
      assetOf(src: string): string | undefined;
      entryOf(href: string): EntryLink | undefined;
    },
  ) {}
}

export interface SourceLocale {
  readonly code: string;
  readonly name: string;
  readonly fallback: string | null;
}

/** A field as it will be created. Content types in its settings are named by their ids in the export. */
export interface SourceField extends FieldInput {
  /** In the export. */
  readonly id: string;
  readonly required: boolean;
  readonly localized: boolean;
}

/** A field that is named alike on both sides. */
export const sourceField = (
  id: string,
  type: SourceField['type'],
  more: Partial<SourceField> = {},
): SourceField => ({ id, apiName: id, type, required: false, localized: false, ...more });

export interface SourceType {
  readonly id: string;
  readonly apiName: string;
  readonly name: string;
  readonly description: string;
  /** Id of a field. */
  readonly displayField: string | null;
  readonly isPage: boolean;
  /** Its entries are parts of others: {@link BlockValue}. */
  readonly isBlock?: boolean;
  readonly isSingleton?: boolean;
  readonly isLocalized: boolean;
  readonly fields: readonly SourceField[];
}

export interface AssetTexts {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly altText?: string | null;
}

interface AssetPlace {
  readonly folderId: string | null;
  readonly siteIds: string[];
  readonly focalPoint: { readonly x: number; readonly y: number } | null;
}

export interface SourceAsset {
  readonly id: string;
  readonly where: string;
  readonly address: string;
  /** Undefined: the export does not have it. */
  readonly file: string | undefined;
  /** Where the service fetches it. */
  readonly url?: string | undefined;
  readonly fileName: string;
  /** Not public in the system of the export. */
  readonly isPrivate: boolean;
  readonly tags: readonly string[];
  /** By locale of the export. */
  readonly texts: ReadonlyMap<string, AssetTexts>;
  /** Where it is in the project. */
  readonly place?: AssetPlace;
}

export interface SourceVersion {
  readonly locale: string;
  readonly slug: string | undefined;
  /** Where locales are published one by one; by default as the entry. */
  readonly state?: { readonly isPublished: boolean; readonly publishedAt: string | undefined };
  /** By id of the field. Those that locales share are in the first version. */
  readonly fields: ReadonlyMap<string, unknown>;
}

interface SourceFacts {
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  readonly publishedAt?: string | undefined;
}

export interface SourceEntry {
  readonly type: string;
  readonly id: string;
  readonly where: string;
  readonly isPublished: boolean;
  readonly facts: SourceFacts;
  /** Id of a user of the export. */
  readonly author: string | undefined;
  /** The entry of the same export below which it is in the tree. */
  readonly parent?: EntryLink | undefined;
  /** Where it was on the web. */
  readonly address?: string | undefined;
  /** Where it was before that. */
  readonly aliases?: readonly string[];
  /** In the default locale first. They may be read from the export each time. */
  readonly versions: readonly SourceVersion[];
}

export const isPublishedVersion = (entry: SourceEntry, version: SourceVersion): boolean =>
  version.state?.isPublished ?? entry.isPublished;

/** An export as it was read. */
export interface ExportSource {
  readonly system: string;
  /** The default locale first. */
  readonly locales: readonly SourceLocale[];
  readonly types: readonly SourceType[];
  readonly assets: readonly SourceAsset[];
  readonly entries: readonly SourceEntry[];
  /** Names by id. */
  readonly authors: ReadonlyMap<string, string>;
  readonly losses: Losses;
  /** Entries of any number, which are read while they are written. Those above come first. */
  readonly table?: SourceTable;
  /** Removes what was unpacked. */
  readonly remove?: () => Promise<void>;
}

/** A row of a table as an entry, with the assets that it names. */
export interface TableEntry {
  /** In the file, from 1. */
  readonly line: number;
  /** Undefined for a row that is lost. */
  readonly entry: SourceEntry | undefined;
  readonly assets: readonly SourceAsset[];
}

/** What the mapping says of a column. */
export interface ColumnMapping {
  readonly apiName: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** Between the values of a list. */
  readonly separator?: string | undefined;
  /** apiName of the content type whose external ids a reference has. */
  readonly to?: string | undefined;
}

/** Columns that are facts of an entry. True: every entry is published. */
export interface TableColumns {
  readonly id: string | null;
  readonly slug: string | null;
  readonly published: string | boolean;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly publishedAt: string | null;
  readonly author: string | null;
}

/** A file of rows whose columns the mapping turns into fields. */
export interface SourceTable {
  readonly rows: number;
  readonly columns: TableColumns;
  /** As guessed from the values. */
  mappingOf(field: string): ColumnMapping;
  /** @throws Error with one line for people if values cannot be read so */
  fieldOf(field: string, mapping: ColumnMapping): SourceField;
  read(fields: ReadonlyMap<string, ColumnMapping>, columns: TableColumns): AsyncIterable<TableEntry>;
}

/** Names for content types or fields, each given once. */
export class ApiNames {
  readonly #taken = new Set<string>();

  constructor(private readonly what: 'type' | 'field') {}

  /** The nearest name that is allowed. */
  nameFor(text: string): string {
    const letters = text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .replaceAll(/^[_0-9]+|_+$/g, '');
    const stem = letters === '' ? this.what : letters.slice(0, limits.apiNameLength - 6);
    const isFree = (name: string): boolean =>
      !this.#taken.has(typeNameOf(name).toLowerCase()) &&
      !(this.what === 'type' ? isReservedTypeName(name) : isReservedFieldName(name));
    let name = stem;
    for (let number = 2; !isFree(name); number += 1) name = `${stem}${String(number)}`;
    this.#taken.add(typeNameOf(name).toLowerCase());
    return name;
  }
}
