import { lazy } from 'react';
import type { FieldEditorProps } from './field-editor.js';
import { GroupEditor } from './group-editor.js';
import { isOneGroup } from './kinds.js';

/** In a chunk that is loaded with the first list of blocks. */
const BlockList = lazy(async () => ({ default: (await import('./block-list.js')).BlockList }));

/** The blocks of an entry, or of a block of it: each is edited in its place. */
export const BlocksEditor = (props: FieldEditorProps) =>
  isOneGroup(props.field) ? <GroupEditor {...props} /> : <BlockList {...props} />;
