import type { FieldDefinition } from '../../../content/catalog.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import { valueIn } from '../../../content/model/field-definition.js';
import type { PublishedBody } from '../../shared/published-body.js';
import { systemKeysOf, unsetValue, valueOf, type StoredDocument } from './document.js';
import { EntryText, JsonText } from './entry-text.js';
import {
  fieldsOf,
  FollowedReferences,
  linkFields,
  mediaFields,
  textFields,
  type ExpansionParts,
} from './follow-references.js';
import { mayNameSomething, showValue } from './shown-values.js';

type Paths = ReadonlyMap<string, string | null>;

/** Where a document is shown. */
interface Place {
  readonly hops: number;
  /** Ids from the root to the document that refers to this one. */
  readonly path: readonly string[];
}

const noFields: readonly FieldDefinition[] = [];

const jsonOf = (document: StoredDocument, { apiName }: FieldDefinition): string | undefined => {
  const value = valueIn(document.fields, apiName);
  return value === undefined ? undefined : `"${apiName}":${JSON.stringify(value)}`;
};

/** Writes entries as `JSON.stringify` writes what `expandDocuments` returns, from the text of documents. */
class EntryWriter {
  constructor(
    private readonly references: FollowedReferences,
    private readonly paths: Paths | undefined,
    /** Fields of the roots to write; all if unset. */
    private readonly selected: readonly string[] | undefined,
  ) {}

  write(document: StoredDocument, place: Place): JsonText {
    const { catalog } = this.references;
    const typeName = catalog.contentTypeById(document.contentTypeId)?.apiName ?? '';
    const system = JSON.stringify(systemKeysOf(document, typeName, this.paths?.get(document.id)));
    const text = new JsonText().add(`${system.slice(0, -1)},"fields":{`);
    return this.#writeFields(document, place, text).add('}}');
  }

  #writeFields(document: StoredDocument, place: Place, text: JsonText): JsonText {
    const { catalog } = this.references;
    const fields = fieldsOf(document, catalog);
    const isExpanded = place.hops > 0;
    const links = isExpanded ? linkFields(document, catalog) : noFields;
    const shown = this.#shownFields(document, isExpanded);
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

  #links(document: StoredDocument, field: FieldDefinition, { hops, path }: Place): JsonText {
    const value = valueOf(document, field.apiName);
    if (value === undefined) return stored(document, field);
    const place = { hops: hops - 1, path: [...path, document.id] };
    const write = (link: unknown): JsonText => {
      const target = this.references.take(link, place.path);
      return target === undefined ? new JsonText().add(JSON.stringify(link)) : this.write(target, place);
    };
    const text = new JsonText().add(`"${field.apiName}":`);
    if (!Array.isArray(value)) return text.append(write(value));
    text.add('[');
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

export interface WriteParts extends ExpansionParts {
  readonly selected?: readonly string[] | undefined;
}

/** As `expandDocuments`, but the entries are text; values that are sent as they are stored are never parsed. */
export async function writeEntries(
  documents: readonly StoredDocument[],
  { selected, ...parts }: WriteParts,
): Promise<{ entries: EntryText[]; documents: StoredDocument[] }> {
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
