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

/** The blocks of a list that all locales share, with the localized values of another locale. */
export function withLocalizedValues(project: Types, from: unknown, to: unknown): unknown {
  const source = ownBlocksOf(from);
  return mapItems(to, (item) => {
    const other = isOwnBlock(item) ? source.get(item._ref) : undefined;
    if (!isOwnBlock(item) || other === undefined) return item;
    const copied = (typeOfBlock(project, item)?.fields ?? []).map(
      ({ apiName, localized, type }): [string, unknown] => {
        if (localized) return [apiName, other.fields[apiName]];
        const value = item.fields[apiName];
        const isList = holdsBlocks({ type });
        return [apiName, isList ? withLocalizedValues(project, other.fields[apiName], value) : value];
      },
    );
    const fields = Object.fromEntries(copied.filter(([, value]) => value !== undefined));
    return { ...item, fields };
  });
}
