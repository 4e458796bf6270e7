/** Who else is on an entry. */
export const presence = {
  'presence.title': 'Also here',
  'presence.person': '{name}, in {locale}',
  'presence.more': '+{count}',
  'presence.here': 'Also here: {names}',
  'presence.inField': 'Also here: {names}',
};
