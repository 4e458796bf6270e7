import { isObject } from '../../content/exact-json/is-object.js';
import { isOwnBlock, type OwnBlock } from '../../content/model/own-block.js';
import type { ContentType, Field } from '../api/project-data.js';
import { holdsBlocks } from '../fields/kinds.js';
import { itemsOf, mapItems } from './items.js';
import { ownBlocksOf } from './merge-typed.js';

interface Types {
  readonly types: readonly ContentType[];
}

const typeOfBlock = ({ types }: Types, { _type }: OwnBlock): ContentType | undefined =>
  types.find(({ apiName }) => apiName === _type);

type ListField = Pick<Field, 'localized'>;

/** Whether a list that all locales share has blocks with values of each locale. */
export function hasLocalizedValues(project: Types, { localized }: ListField, value: unknown): boolean {
  if (localized) return true;
  return itemsOf(value)
    .filter(isOwnBlock)
    .some((block) => {
      const fields = typeOfBlock(project, block)?.fields ?? [];
      return fields.some((field) => hasLocalizedValues(project, field, block.fields[field.apiName]));
    });
}

const textNodes: ReadonlySet<unknown> = new Set(['doc', 'text', 'paragraph', 'heading', 'codeBlock']);

/** Whether a rich text shows neither words nor anything else, such as a picture. */
function isBlankNode({ type, text, content }: Readonly<Record<string, unknown>>): boolean {
  if (typeof text === 'string') return text.trim() === '';
  const nodes = Array.isArray(content) ? content.filter(isObject) : [];
  return nodes.length === 0 ? textNodes.has(type) : nodes.every(isBlankNode);
}

/** Whether a reader would see nothing of a value. */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every(isBlank);
  return isObject(value) && value.type === 'doc' && isBlankNode(value);
}

/** The blocks of a list that all locales share, with the localized values of another locale. What is empty there replaces nothing. */
export function withLocalizedValues(project: Types, from: unknown, to: unknown): unknown {
  const source = ownBlocksOf(from);
  return mapItems(to, (item) => {
    const other = isOwnBlock(item) ? source.get(item._ref) : undefined;
    if (!isOwnBlock(item) || other === undefined) return item;
    const copied = (typeOfBlock(project, item)?.fields ?? []).map(
      ({ apiName, localized, type }): [string, unknown] => {
        const value = item.fields[apiName];
        if (localized) return [apiName, isBlank(other.fields[apiName]) ? value : other.fields[apiName]];
        const isList = holdsBlocks({ type });
        return [apiName, isList ? withLocalizedValues(project, other.fields[apiName], value) : value];
      },
    );
    const fields = Object.fromEntries(copied.filter(([, value]) => value !== undefined));
    return { ...item, fields };
  });
}
