import type { ComponentType, ReactNode } from 'react';
import type { Field } from '../api/project-data.js';
import type { FieldDiscussion } from './discussion.js';

/** A field with its label and messages. */
export interface FieldRowProps {
  readonly field: Field;
  readonly value: unknown;
  readonly messages: readonly string[];
  readonly isReadOnly: boolean;
  /** Distinguishes the fields of several blocks. */
  readonly idPrefix?: string | undefined;
  /** Of a field of a block, such as `sections[<id>].title`. */
  readonly path?: string;
  readonly onChange: (value: unknown) => void;
}

/** The control of one value, of an entry or of anything else. */
export interface ControlProps {
  /** Of the control, which the label names. */
  readonly id: string;
  /** What a group of controls is called. */
  readonly label: string;
  readonly value: unknown;
  readonly isReadOnly: boolean;
  readonly isInvalid: boolean;
  /** Id of hints and messages. */
  readonly describedBy: string;
  /** Null clears the value. */
  readonly onChange: (value: unknown) => void;
}

export type Control = (props: ControlProps) => ReactNode;

/** The control of a field; of a list field, of one item. */
export interface FieldEditorProps extends ControlProps {
  readonly field: Field;
  /** Where the value is in its entry, such as `title` or `sections[<id>].title`. */
  readonly path: string;
  /** Shows the fields of a block, which is a form in a form. */
  readonly row: ComponentType<FieldRowProps>;
  /** Comments on the value; items of lists have none. */
  readonly discussion?: FieldDiscussion | undefined;
}

export type FieldEditor = (props: FieldEditorProps) => ReactNode;

/** Attributes of a control that is a single element. */
export const controlOf = ({ id, describedBy, isInvalid }: ControlProps) => ({
  id,
  'aria-describedby': describedBy,
  'aria-invalid': isInvalid,
});
