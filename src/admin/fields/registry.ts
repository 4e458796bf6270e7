import type { FieldKind } from '../../../contracts/content/fields/field-kinds.js';
import { BlocksEditor } from './blocks-editor.js';
import { BooleanEditor, SelectEditor, SelectListEditor } from './choice-editors.js';
import type { FieldEditorProps } from './field-editor.js';
import { JsonEditor } from './json-editor.js';
import { MediaEditor, ReferenceEditor } from './link-editors.js';
import { DateTimeEditor, LocationEditor, NumberEditor } from './number-editors.js';
import {
  ColorEditor,
  DateEditor,
  EmailEditor,
  LongTextEditor,
  TextEditor,
  UrlEditor,
} from './text-editors.js';
import type { ComponentType } from 'react';
import { lazyPart } from '../ui/lazy-part.js';

interface KindEditor {
  readonly editor: ComponentType<FieldEditorProps>;
  /** Edits a list by itself. */
  readonly list?: ComponentType<FieldEditorProps>;
  /** Has several controls, which are a group with the label as its name. */
  readonly isGroup?: true;
}

/** In a chunk that is loaded with the first rich text. */
const RichTextEditor = lazyPart(() => import('../rich-text/rich-text-editor.js'), 'RichTextEditor');

/** One editor for every kind of field. */
const editors = {
  text: { editor: TextEditor },
  longText: { editor: LongTextEditor },
  richText: { editor: RichTextEditor, isGroup: true },
  slug: { editor: TextEditor },
  integer: { editor: NumberEditor },
  number: { editor: NumberEditor },
  boolean: { editor: BooleanEditor },
  date: { editor: DateEditor },
  dateTime: { editor: DateTimeEditor },
  select: { editor: SelectEditor, list: SelectListEditor },
  url: { editor: UrlEditor },
  email: { editor: EmailEditor },
  color: { editor: ColorEditor },
  location: { editor: LocationEditor, isGroup: true },
  json: { editor: JsonEditor },
  custom: { editor: JsonEditor },
  media: { editor: MediaEditor, isGroup: true },
  reference: { editor: ReferenceEditor, isGroup: true },
  blocks: { editor: BlocksEditor, list: BlocksEditor, isGroup: true },
} as const satisfies Record<FieldKind, KindEditor>;

export const editorOf = (kind: FieldKind): KindEditor => editors[kind];
