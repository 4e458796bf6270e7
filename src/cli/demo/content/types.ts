import type { NewContentType } from '../../client/operations-client.js';

const topic: NewContentType = {
  apiName: 'topic',
  name: 'Topic',
  description: 'What articles are about.',
  fields: [
    { apiName: 'title', type: 'text', required: true, validations: { maxLength: 60 } },
    { apiName: 'description', type: 'longText' },
  ],
};

const author: NewContentType = {
  apiName: 'author',
  name: 'Author',
  description: 'Somebody who writes.',
  fields: [
    { apiName: 'name', type: 'text', required: true, localized: false },
    { apiName: 'role', type: 'text' },
    { apiName: 'biography', type: 'richText', validations: { allowedNodes: ['paragraph'] } },
    { apiName: 'email', type: 'email' },
    { apiName: 'since', type: 'date', description: 'The day they joined the Trust.' },
  ],
};

const callout: NewContentType = {
  apiName: 'callout',
  name: 'Callout',
  description: 'A boxed remark that articles and pages are built with.',
  isBlock: true,
  fields: [
    { apiName: 'title', type: 'text', required: true },
    {
      apiName: 'tone',
      type: 'select',
      required: true,
      defaultValue: 'note',
      settings: {
        options: [
          { value: 'note', label: 'Note' },
          { value: 'tip', label: 'Tip' },
          { value: 'warning', label: 'Warning' },
        ],
      },
    },
    { apiName: 'body', type: 'richText', required: true },
  ],
};

const quote: NewContentType = {
  apiName: 'quote',
  name: 'Quote',
  description: 'Something that was said on the river.',
  isBlock: true,
  fields: [
    { apiName: 'text', type: 'longText', required: true },
    { apiName: 'speaker', type: 'text', localized: false },
  ],
};

const article: NewContentType = {
  apiName: 'article',
  name: 'Article',
  description: 'A story from the river.',
  isPage: true,
  displayField: 'title',
  fields: [
    { apiName: 'title', type: 'text', required: true, validations: { maxLength: 120 } },
    { apiName: 'summary', type: 'longText', validations: { maxLength: 400 } },
    { apiName: 'body', type: 'richText', required: true },
    { apiName: 'author', type: 'reference', required: true, settings: { contentTypes: ['author'] } },
    { apiName: 'topics', type: 'reference', isList: true, settings: { contentTypes: ['topic'] } },
    { apiName: 'callouts', type: 'blocks', settings: { contentTypes: ['callout'] } },
    { apiName: 'writtenOn', type: 'date' },
    {
      apiName: 'seasons',
      type: 'select',
      isList: true,
      settings: { options: ['spring', 'summer', 'autumn', 'winter'].map((value) => ({ value })) },
    },
    {
      apiName: 'mile',
      type: 'number',
      description: 'Miles below the source.',
      validations: { min: 0, max: 31.5 },
    },
    { apiName: 'isFeatured', type: 'boolean', defaultValue: false },
  ],
};

const page: NewContentType = {
  apiName: 'page',
  name: 'Page',
  description: 'A page of a site, made of a text and blocks.',
  isPage: true,
  displayField: 'title',
  fields: [
    { apiName: 'title', type: 'text', required: true },
    { apiName: 'lead', type: 'longText' },
    { apiName: 'body', type: 'richText' },
    { apiName: 'sections', type: 'blocks', settings: { contentTypes: ['callout', 'quote'] } },
    { apiName: 'featured', type: 'reference', isList: true, settings: { contentTypes: ['article', 'page'] } },
    { apiName: 'opensAt', type: 'dateTime' },
    { apiName: 'links', type: 'url', isList: true },
    { apiName: 'position', type: 'json', description: 'Where it is on the map.' },
  ],
};

/** The content types of the demo, each after those that it refers to. */
export const demoTypes: readonly NewContentType[] = [topic, author, callout, quote, article, page];

/** A relation of articles to each other: added when the type exists that it names. */
export const relatedField = {
  contentTypeApiName: 'article',
  apiName: 'related',
  type: 'reference',
  isList: true,
  settings: { contentTypes: ['article'] },
} as const;
