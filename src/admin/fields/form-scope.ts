import { createContext, useContext } from 'react';
import type { Field } from '../api/project-data.js';

/** What is done with a block by its id; absent where the user may not. */
export interface BlockActions {
  /** Turns the block into a separate entry, which the form links. */
  readonly share: ((id: string) => void) | undefined;
  /** Replaces a link to a shared block by a copy that belongs to the entry. */
  readonly detach: ((id: string) => void) | undefined;
}

/** What fields of blocks need of the form that contains them. */
export interface FormScope {
  /** Messages by path, such as `sections[<id>].title`. */
  readonly problems: ReadonlyMap<string, readonly string[]>;
  /** Whether values may be changed that belong to a field of the entry, in its locale or in all. */
  readonly mayWrite: (field: Pick<Field, 'apiName' | 'localized'>) => boolean;
  /** The path that the user is led to; a new object for each time. */
  readonly revealed?: { readonly path: string } | undefined;
  /** Of forms of stored entries. */
  readonly actions?: BlockActions | undefined;
}

export const FormScopeContext = createContext<FormScope>({ problems: new Map(), mayWrite: () => true });

export const useFormScope = (): FormScope => useContext(FormScopeContext);
