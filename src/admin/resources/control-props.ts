import type { ComponentType, ReactNode } from 'react';
import type { ControlProps } from '../fields/field-editor.js';
import type { Property } from './property.js';

/** The control of one key of an input. */
export interface PropertyControlProps extends ControlProps {
  readonly property: Property;
  /** The resource, by which labels are found. */
  readonly resource: string;
  /** Shows the keys of an object. */
  readonly row: ComponentType<PropertyRowProps>;
}

export type PropertyEditor = (props: PropertyControlProps) => ReactNode;

export interface PropertyRowProps {
  readonly property: Property;
  readonly resource: string;
  readonly value: unknown;
  readonly messages: readonly string[];
  readonly isReadOnly: boolean;
  readonly idPrefix: string;
  /** Instead of the control that the shape asks for. */
  readonly editor?: PropertyEditor | undefined;
  readonly onChange: (value: unknown) => void;
}
