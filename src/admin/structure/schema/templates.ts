import type { SchemaDocument } from '../../../../contracts/deployment/schema/schema-plan.js';
import { language } from '../../texts/index.js';

export const templateNames = ['blog', 'website', 'documentation'] as const;
export type TemplateName = (typeof templateNames)[number];

/** Names of types and fields are content, so they are written in the language of the user once. */
const word = (en: string, de: string): string => (language === 'de' ? de : en);

type Type = NonNullable<SchemaDocument['contentTypes']>[number];
type Field = Type['fields'][number];

const title = (): Field => ({ apiName: 'title', name: word('Title', 'Titel'), type: 'text', required: true });
const name = (): Field => ({ apiName: 'name', name: word('Name', 'Name'), type: 'text', required: true });
const summary = (): Field => ({
  apiName: 'summary',
  name: word('Summary', 'Zusammenfassung'),
  type: 'longText',
});
const body = (): Field => ({ apiName: 'body', name: word('Text', 'Text'), type: 'richText' });
const picture = (): Field => ({
  apiName: 'picture',
  name: word('Picture', 'Bild'),
  type: 'media',
  validations: { mimeTypes: ['image/*'] },
});
const link = (apiName: string, label: string, target: string): Field => ({
  apiName,
  name: label,
  type: 'reference',
  settings: { contentTypes: [target] },
});

const author = (): Type => ({
  apiName: 'author',
  name: word('Author', 'Autor'),
  fields: [name(), { ...summary(), apiName: 'about', name: word('About', 'Über') }, picture()],
});

const templates: Readonly<Record<TemplateName, () => Type[]>> = {
  blog: () => [
    author(),
    { apiName: 'category', name: word('Category', 'Kategorie'), fields: [title(), summary()] },
    {
      apiName: 'article',
      name: word('Article', 'Artikel'),
      isPage: true,
      fields: [
        ...[title(), summary(), body(), picture()],
        link('author', word('Author', 'Autor'), 'author'),
        { ...link('categories', word('Categories', 'Kategorien'), 'category'), isList: true },
      ],
    },
  ],
  website: () => [
    {
      apiName: 'page',
      name: word('Page', 'Seite'),
      isPage: true,
      fields: [title(), summary(), picture(), body()],
    },
    {
      apiName: 'testimonial',
      name: word('Testimonial', 'Kundenstimme'),
      fields: [name(), { ...summary(), apiName: 'quote', name: word('Quote', 'Zitat') }, picture()],
    },
    {
      apiName: 'siteSettings',
      name: word('Site settings', 'Einstellungen'),
      isSingleton: true,
      fields: [{ ...title(), name: word('Site title', 'Titel der Website') }, picture()],
    },
  ],
  documentation: () => [
    { apiName: 'product', name: word('Product', 'Produkt'), fields: [name(), summary()] },
    {
      apiName: 'guide',
      name: word('Guide', 'Anleitung'),
      isPage: true,
      fields: [
        ...[title(), summary(), body()],
        link('product', word('Product', 'Produkt'), 'product'),
        { ...link('related', word('Related guides', 'Verwandte Anleitungen'), 'guide'), isList: true },
      ],
    },
  ],
};

/** A first model as schema as code, for a project without types. */
export const templateOf = (template: TemplateName): SchemaDocument => ({
  contentTypes: templates[template](),
});
