import type { ComponentType, ReactNode } from 'react';
import type { ControlProps } from '../fields/field-editor.js';
import type { Property } from './property.js';

/** The control of one key of an input. */
export interface PropertyControlProps extends ControlProps {
  readonly property: Property;
  /** The resource, by which labels are found. */
  readonly resource: string;
  /** Where it is in the input, such as `filters.siteIds`. */
  readonly path: string;
  /** Controls instead of those that the shape asks for, by path. */
  readonly editors: PropertyEditors;
  /** Shows the keys of an object. */
  readonly row: ComponentType<PropertyRowProps>;
}

type PropertyEditor = (props: PropertyControlProps) => ReactNode;

export type PropertyEditors = Readonly<Record<string, PropertyEditor>>;

export interface PropertyRowProps {
  readonly property: Property;
  readonly resource: string;
  readonly value: unknown;
  readonly messages: readonly string[];
  readonly isReadOnly: boolean;
  readonly idPrefix: string;
  /** Of the object that has the key; empty for the input itself. */
  readonly pathPrefix?: string;
  readonly editors: PropertyEditors;
  readonly onChange: (value: unknown) => void;
}
