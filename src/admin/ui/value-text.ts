import { t } from '../texts/index.js';

interface TextNode {
  readonly text?: string;
  readonly content?: readonly TextNode[];
}

const plain = ({ text = '', content = [] }: TextNode): string => text + content.map(plain).join('');

/** Of a rich text: its blocks as lines. */
const richText = ({ content = [] }: TextNode): string => content.map(plain).join('\n');

const isRichText = (value: object): value is TextNode => 'type' in value && value.type === 'doc';

/** Any value as text, to be read. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('field.none');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value);
  return isRichText(value) ? richText(value) : JSON.stringify(value, null, 2);
}
