import type { Translated } from '../en/index.js';
import type { presence as english } from '../en/presence.js';

export const presence: Translated<typeof english> = {
  'presence.title': 'Auch hier',
  'presence.person': '{name}, in {locale}',
  'presence.more': '+{count}',
  'presence.here': 'Auch hier: {names}',
  'presence.inField': 'Auch hier: {names}',
};
