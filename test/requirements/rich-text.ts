import type { Requirement } from './requirement.js';

/** Rich text that is pasted, links and embeds. */
export const richText = {
  'content/pasted-html': {
    source: 'content/rich-text',
    text: 'HTML is read as browsers and word processors write it; what is dropped is named.',
  },
  'content/editor-json': {
    source: 'content/rich-text',
    text: 'Null attributes of unknown names are ignored, so that documents of other editors are accepted.',
  },
  'content/rich-text-references': {
    source: 'content/rich-text',
    text: 'Texts link to, mention and embed entries and assets; a field may limit what.',
  },
  'delivery/rich-text-links': {
    source: 'content/rich-text',
    text: 'Delivery resolves the entries and assets that rich text refers to as they are now, with their text as the fallback, and lists them in links.',
  },
  'content/rich-text-images': {
    source: 'content/rich-text',
    text: 'Images of HTML become embeds of assets; with importImages those of other servers are imported.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
