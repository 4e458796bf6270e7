import type { ControlProps } from '../fields/field-editor.js';
import { ListEditor } from '../fields/list-editor.js';
import { TextEditor } from '../fields/text-editors.js';

/** Texts that are typed one by one. */
export const TextList = (props: ControlProps) => <ListEditor {...props} item={TextEditor} />;
