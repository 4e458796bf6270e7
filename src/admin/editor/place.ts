import { createContext, useContext } from 'react';

/** Where the edited entry is: references and blocks are looked up there. */
export interface EntryPlace {
  readonly siteId: string;
  readonly locale: string;
}

export const PlaceContext = createContext<EntryPlace>({ siteId: '', locale: '' });

export const usePlace = (): EntryPlace => useContext(PlaceContext);
