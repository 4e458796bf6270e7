import { createContext, useContext, type ComponentType } from 'react';
import type { ContentType, Entry } from '../api/project-data.js';

export interface NewEntryDialogProps {
  readonly type: ContentType;
  readonly onCreated: (entry: Entry) => void;
  readonly onCancel: () => void;
}

/** How references are created from the form that contains their field. */
export interface Creation {
  /** Absent: they are chosen only. It is not imported, because it shows fields itself. */
  readonly Form: ComponentType<NewEntryDialogProps> | undefined;
  /** Number of dialogs around the form. */
  readonly depth: number;
  /** Receives what was created for a field of the form. */
  readonly onCreatedInside?: (entry: Entry) => void;
}

/** Dialogs in dialogs, at most. */
export const CREATION_DEPTH = 3;

export const CreationContext = createContext<Creation>({ Form: undefined, depth: 0 });

export const useCreation = (): Creation => useContext(CreationContext);
