import { createTextVNode, Fragment, h } from 'vue';
import { renderParts, richTextParts } from './rich-text.js';

const target = {
  text: (text) => createTextVNode(text),
  join: (parts) => h(Fragment, [...parts]),
  element: ({ tag, attributes }, children, key) => h(tag, { ...attributes, key }, [...children]),
};

/** See vue.d.ts, which `npm run build:client` writes. */
export const RichText = ({ value, ...hooks }) => renderParts(richTextParts(value), target, hooks);
RichText.props = ['value', 'link', 'embed', 'nodes'];
