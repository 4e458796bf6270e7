import type { RichTextMark, RichTextNode } from '../../../contracts/rich-text.js';

export const node = (type: string, ...content: RichTextNode[]): RichTextNode => ({ type, content });
export const text = (value: string, ...marks: RichTextMark[]): RichTextNode => ({
  type: 'text',
  text: value,
  ...(marks.length > 0 ? { marks } : {}),
});
export const paragraph = (...content: RichTextNode[]) => node('paragraph', ...content);
export const doc = (...content: RichTextNode[]) => node('doc', ...content);
export const link = (href: string, attrs: Record<string, unknown> = {}): RichTextMark => ({
  type: 'link',
  attrs: { href, ...attrs },
});
