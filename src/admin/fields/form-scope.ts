import { createContext, useContext } from 'react';
import type { Field } from '../api/project-data.js';

/** What fields of blocks need of the form that contains them. */
export interface FormScope {
  /** Messages by path, such as `sections[<id>].title`. */
  readonly problems: ReadonlyMap<string, readonly string[]>;
  /** Whether values may be changed that belong to a field of the entry, in its locale or in all. */
  readonly mayWrite: (field: Pick<Field, 'apiName' | 'localized'>) => boolean;
}

export const FormScopeContext = createContext<FormScope>({ problems: new Map(), mayWrite: () => true });

export const useFormScope = (): FormScope => useContext(FormScopeContext);
