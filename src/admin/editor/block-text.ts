import { isObject } from '../../content/exact-json/is-object.js';
import { isOwnBlock, type OwnBlock } from '../../content/model/own-block.js';
import type { ContentType } from '../api/project-data.js';
import { titleFieldOf } from '../fields/kinds.js';
import { t } from '../texts/index.js';
import { textOf } from '../ui/value-text.js';
import { fieldLabel } from './field-label.js';
import { itemsOf } from './items.js';
import { ownBlocksOf } from './merge-typed.js';
import { blockLabel } from './path-text.js';

interface Types {
  readonly types: readonly ContentType[];
}

const indented = (text: string): string => text.replace(/^/gm, '   ');

/** The title of a block, where its type has one. */
export function blockTitle({ fields }: OwnBlock, type: ContentType | undefined): string {
  const value = type === undefined ? undefined : fields[titleFieldOf(type) ?? ''];
  return typeof value === 'string' ? value.trim() : '';
}

/** A value of an entry as text. Of a list of blocks: a line for each, with the values of those that only this side has. */
export function contentText(project: Types, value: unknown, other?: unknown): string {
  const items = itemsOf(value);
  if (!items.some(isOwnBlock)) return textOf(value);
  const common = ownBlocksOf(other);
  return items
    .map((item, index) => {
      if (!isOwnBlock(item)) return isObject(item) ? sharedLine(project, item, index) : textOf(item);
      const type = project.types.find(({ apiName }) => apiName === item._type);
      const title = blockTitle(item, type);
      const line = `${blockLabel(project, index, item._type)}${title === '' ? '' : `: ${title}`}`;
      return common.has(item._ref) ? line : [line, ...valueLines(project, item, type)].join('\n');
    })
    .join('\n');
}

const sharedLine = (project: Types, { _type }: Readonly<Record<string, unknown>>, index: number): string =>
  `${blockLabel(project, index, String(_type))} (${t('block.shared')})`;

function valueLines(project: Types, { fields }: OwnBlock, type: ContentType | undefined): string[] {
  const shown = Object.entries(fields).filter(
    ([name, value]) => value !== null && (type === undefined || name !== titleFieldOf(type)),
  );
  return shown.map(([name, value]) => {
    const label = type === undefined ? name : fieldLabel(type, name);
    return indented(`${label}: ${contentText(project, value)}`);
  });
}
