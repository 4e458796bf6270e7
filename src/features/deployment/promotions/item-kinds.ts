import type { promotedKinds } from '../../../../contracts/environments/environments/environment.js';

export type ItemKind = (typeof promotedKinds)[number];

export interface ItemKey {
  readonly kind: ItemKind;
  readonly id: string;
}

export const hasLocales = (kind: ItemKind): boolean => kind === 'entry' || kind === 'media';

/** An item, or what all of its locales share with some of them. */
export interface ItemSelection extends ItemKey {
  readonly locales?: readonly string[] | undefined;
}

export const keyText = ({ kind, id }: ItemKey): string => `${kind} ${id}`;
