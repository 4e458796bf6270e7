import { createElement, Fragment } from 'react';
import { renderParts, richTextParts } from './rich-text.js';

const propertyNames = { class: 'className', colspan: 'colSpan', rowspan: 'rowSpan' };

const target = {
  text: (text) => text,
  join: (parts) => createElement(Fragment, null, ...parts),
  element: ({ tag, attributes }, children, key) => {
    const properties = Object.entries(attributes).map(([name, value]) => [
      propertyNames[name] ?? name,
      value,
    ]);
    return createElement(tag, { ...Object.fromEntries(properties), key }, ...children);
  },
};

/** See react.d.ts, which `npm run build:client` writes. */
export const RichText = ({ value, ...hooks }) =>
  createElement(Fragment, null, ...renderParts(richTextParts(value), target, hooks));
