import type { promotedKinds } from '../../../contracts/resources/environment-difference.js';

export type ItemKind = (typeof promotedKinds)[number];

export interface ItemKey {
  readonly kind: ItemKind;
  readonly id: string;
}

export const keyText = ({ kind, id }: ItemKey): string => `${kind} ${id}`;
