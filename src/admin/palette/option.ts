import type { ReactNode } from 'react';
import type { IconName } from '../ui/icon.js';

/** One line of the palette. */
export interface PaletteOption {
  /** Unique in the palette. */
  readonly key: string;
  readonly icon: IconName;
  readonly title: ReactNode;
  /** What was found in it besides the title. */
  readonly excerpt?: ReactNode;
  /** Type, locale and status. */
  readonly note?: ReactNode;
  /** Came with a search, and may be outdated while the next one is running. */
  readonly isFound?: boolean;
  readonly run: () => void;
}

export interface PaletteGroup {
  readonly title: string;
  readonly options: readonly PaletteOption[];
}
