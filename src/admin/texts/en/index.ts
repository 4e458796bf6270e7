import { account, collaboration, presence } from './collaboration.js';
import { administration } from './administration.js';
import { content } from './content.js';
import { editing, richText } from './editing.js';
import { hints } from './hints.js';
import { insight } from './insight.js';
import { lists, palette, views } from './lists.js';
import { media } from './media.js';
import { planning } from './planning.js';
import { resources, schema } from './resources.js';
import { structure } from './structure.js';
import { words } from './words.js';

/** Every text of the interface, one file per area. Other languages have the same keys. */
export const en = {
  ...account,
  ...content,
  ...richText,
  ...collaboration,
  ...lists,
  ...editing,
  ...structure,
  ...media,
  ...planning,
  ...palette,
  ...insight,
  ...resources,
  ...administration,
  ...views,
  ...schema,
  ...hints,
  ...words,
  ...presence,
};

export type Texts = Readonly<Record<keyof typeof en, string>>;

/** The same keys in another language. */
export type Translated<T> = Readonly<Record<keyof T, string>>;
