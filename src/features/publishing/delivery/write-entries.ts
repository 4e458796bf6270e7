import type { FieldDefinition } from '../../../content/catalog.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import { valueIn } from '../../../content/model/field-definition.js';
import type { DeliveryEntry } from '../../../../contracts/publishing/delivery/content-entry.js';
import type { PublishedBody } from '../../shared/published-body.js';
import { systemKeysOf, unsetValue, valueOf, type StoredDocument } from './document.js';
import { siteOf, type DeliveryRead } from './delivery-read.js';
import { pathReader } from './entry-paths.js';
import { EntryText, JsonText } from './entry-text.js';
import {
  fieldsOf,
  FollowedReferences,
  mediaFields,
  textFields,
  type ExpansionParts,
  type Referring,
  type ShownPlace,
} from './follow-references.js';
import { mayNameSomething, showValue } from './shown-values.js';
import { textLinks } from './text-links.js';

type Paths = ReadonlyMap<string, string | null>;

const noFields: readonly FieldDefinition[] = [];

const jsonOf = (document: StoredDocument, { apiName }: FieldDefinition): string | undefined => {
  const value = valueIn(document.fields, apiName);
  return value === undefined ? undefined : `"${apiName}":${JSON.stringify(value)}`;
};

/** Writes entries in delivery shape with expanded references (rule delivery/entry), from the text of documents. */
class EntryWriter {
  constructor(
    private readonly references: FollowedReferences,
    private readonly paths: Paths | undefined,
    /** Fields of the roots to write; all if unset. */
    private readonly selected: readonly string[] | undefined,
  ) {}

  write(document: StoredDocument, place: ShownPlace): JsonText {
    const { catalog } = this.references;
    const typeName = catalog.contentTypeById(document.contentTypeId)?.apiName ?? '';
    const system = JSON.stringify(systemKeysOf(document, typeName, this.paths?.get(document.id)));
    const text = new JsonText().add(`${system.slice(0, -1)},"fields":{`);
    return this.#writeFields(document, place, text).add('}}');
  }

  #writeFields(document: StoredDocument, place: ShownPlace, text: JsonText): JsonText {
    const { catalog } = this.references;
    const fields = fieldsOf(document, catalog);
    const links = this.references.followedFields(document, place.hops);
    const shown = this.#shownFields(document, place.hops > 0);
    const selected = place.path.length === 0 ? this.selected : undefined;
    const { body } = document;
    if (body !== undefined && links.length === 0 && shown.length === 0 && selected === undefined)
      if (isWhole(body, fields)) return text.addKnown(body.lines.join(','), body.digest);
    let written = 0;
    fields.forEach((field, index) => {
      // References of fields that are not selected count, too.
      const own = links.includes(field)
        ? this.#links(document, field, place)
        : shown.includes(field)
          ? this.#shown(document, field, index)
          : stored(document, field, index);
      if (selected?.includes(field.apiName) === false) return;
      if (written > 0) text.add(',');
      text.append(own);
      written += 1;
    });
    return text;
  }

  #shownFields(document: StoredDocument, isExpanded: boolean): readonly FieldDefinition[] {
    const { catalog, showsValues, showsTexts } = this.references;
    if (isExpanded) return showsValues ? mediaFields(document, catalog) : noFields;
    return showsTexts ? textFields(document, catalog) : noFields;
  }

  /** The values of the fields with links, with the documents in their place. */
  linkValues(root: Referring, hops: number): Record<string, unknown> {
    const fields = this.references.followedFields(root, hops);
    return Object.fromEntries(
      fields.flatMap(({ apiName }) => {
        const value = valueOf(root, apiName);
        if (value === undefined) return [];
        const { text } = this.#followed(value, root, { hops, path: [] });
        return [[apiName, JSON.parse(text) as unknown]];
      }),
    );
  }

  #links(document: StoredDocument, field: FieldDefinition, place: ShownPlace): JsonText {
    const value = valueOf(document, field.apiName);
    if (value === undefined) return stored(document, field);
    return new JsonText().add(`"${field.apiName}":`).append(this.#followed(value, document, place));
  }

  /** A value of links with the documents in their place. */
  #followed(value: unknown, document: Referring, place: ShownPlace): JsonText {
    const write = (link: unknown): JsonText => {
      const followed = this.references.follow(link, document, place);
      if (followed === undefined) return new JsonText().add(JSON.stringify(link));
      return this.write(followed.target, followed.place);
    };
    if (!Array.isArray(value)) return write(value);
    const text = new JsonText().add('[');
    value.forEach((link, index) => {
      if (index > 0) text.add(',');
      text.append(write(link));
    });
    return text.add(']');
  }

  #shown(document: StoredDocument, field: FieldDefinition, expected: number): JsonText {
    const { body } = document;
    const index = body?.indexOf(field.apiName, expected) ?? -1;
    const line = body?.lines[index];
    if (body !== undefined && line !== undefined && !mayNameSomething(line)) {
      const hasLinks = this.references.showsTexts && kindOf(field).namesEntries;
      if (!hasLinks || line.endsWith(':null') || line.endsWith(':[]'))
        return stored(document, field, expected);
      // A text that names nothing is sent as it is stored, with an empty map at its end.
      if (line.endsWith('}'))
        return new JsonText()
          .addKnown(line.slice(0, -1), `${body.digest} ${String(index)} open`)
          .add(',"links":{}}');
    }
    const value = showValue(valueOf(document, field.apiName), this.references.shown);
    if (value === undefined) return stored(document, field);
    return new JsonText().add(`"${field.apiName}":${JSON.stringify(value)}`);
  }
}

/** Whether the document has exactly these fields in this order. */
const isWhole = (body: PublishedBody, fields: readonly FieldDefinition[]): boolean =>
  body.lines.length === fields.length &&
  fields.every(({ apiName }, index) => body.indexOf(apiName, index) === index);

/** The member of a field as it is stored. */
function stored(document: StoredDocument, field: FieldDefinition, expected = 0): JsonText {
  const text = new JsonText();
  const { body } = document;
  const unset = () => `"${field.apiName}":${JSON.stringify(unsetValue(field))}`;
  if (body === undefined) return text.add(jsonOf(document, field) ?? unset());
  const index = body.indexOf(field.apiName, expected);
  const line = body.lines[index];
  return line === undefined ? text.add(unset()) : text.addKnown(line, `${body.digest} ${String(index)}`);
}

interface WriteParts extends ExpansionParts {
  readonly selected?: readonly string[] | undefined;
}

/** Documents as text in delivery shape with expanded references; values that are sent as they are stored are never parsed. */
async function writeEntries(
  documents: readonly StoredDocument[],
  { selected, ...parts }: WriteParts,
): Promise<{ entries: EntryText[]; documents: readonly StoredDocument[] }> {
  const references = await FollowedReferences.of(documents, parts);
  const contained = [...documents, ...references.documents];
  const paths = parts.readPaths && (await parts.readPaths(contained));
  const writer = new EntryWriter(references, paths, selected);
  const place = { hops: parts.expansion.hops, path: [] };
  return {
    entries: documents.map((document) => new EntryText(writer.write(document, place))),
    documents: contained,
  };
}

/** What a request says about the entries of its response. */
interface EntryRequest {
  readonly siteSlug: string;
  readonly include: number;
  readonly blocks: 'hops' | 'all';
  readonly paths: boolean;
  readonly links: 'path' | 'absolute';
  readonly fields?: readonly string[] | undefined;
}

function partsOf(read: DeliveryRead, request: EntryRequest, locales: readonly string[]): WriteParts {
  const { include, blocks, paths, links, fields } = request;
  return {
    source: read.source,
    catalog: read.catalog,
    media: read.media,
    texts: textLinks(read, siteOf(read, request.siteSlug), { locales, links }),
    expansion: { hops: Math.min(include, read.maxReferenceDepth), locales, withBlocks: blocks === 'all' },
    readPaths: paths ? pathReader(read, locales) : undefined,
    selected: fields,
  };
}

/** The request for entries, and where they are read. */
interface Requested {
  readonly request: EntryRequest;
  /** Fallback chain of the request, best first. */
  readonly locales: readonly string[];
}

/** Entries in delivery shape as text. The trace gets every document in them. */
async function writtenEntries(
  read: DeliveryRead,
  { request, locales }: Requested,
  documents: readonly StoredDocument[],
): Promise<EntryText[]> {
  const written = await writeEntries(documents, partsOf(read, request, locales));
  read.trace.addDocuments(written.documents, read.catalog);
  return written.entries;
}

/** Entries in delivery shape with expanded references. The trace gets every document in them. */
export async function presentEntries(
  ...presented: Parameters<typeof writtenEntries>
): Promise<DeliveryEntry[]> {
  return (await writtenEntries(...presented)).map(({ entry }) => entry);
}

/** As `presentEntries`, for a response with nothing else in `data`: as text where the response is sent as text. */
export const sentEntries = (
  ...[read, ...presented]: Parameters<typeof writtenEntries>
): Promise<DeliveryEntry[]> =>
  read.writesText === true ? writtenEntries(read, ...presented) : presentEntries(read, ...presented);

/** The values of one entry with expanded references. */
export async function expandValues(root: Referring, parts: ExpansionParts): Promise<Record<string, unknown>> {
  const references = await FollowedReferences.of([root], parts);
  const writer = new EntryWriter(references, undefined, undefined);
  return { ...root.fields, ...writer.linkValues(root, parts.expansion.hops) };
}
