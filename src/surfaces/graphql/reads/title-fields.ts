import type { Catalog } from '../../../content/catalog.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import { titleFieldOf } from '../../../content/slug-field.js';

interface Names {
  readonly texts: ReadonlySet<string>;
  readonly titles: readonly string[];
}

const known = new WeakMap<Catalog, Names>();

function namesOf(catalog: Catalog): Names {
  const found = known.get(catalog);
  if (found !== undefined) return found;
  const types = catalog.data.contentTypes;
  const texts = types.flatMap(({ fields }) => fields.filter((field) => kindOf(field).namesEntries));
  const names = {
    texts: new Set(texts.map(({ apiName }) => apiName)),
    titles: [...new Set(types.flatMap((type) => titleFieldOf(type) ?? []))],
  };
  known.set(catalog, names);
  return names;
}

/** The fields that a query names, with those that title the entries in its texts. */
export function withTitles(fieldNames: readonly string[], catalog: Catalog): readonly string[] {
  const { texts, titles } = namesOf(catalog);
  return fieldNames.some((name) => texts.has(name)) ? [...new Set([...fieldNames, ...titles])] : fieldNames;
}
