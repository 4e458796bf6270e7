import { t } from '../texts/index.js';
import { self, useMembers } from './users.js';

/** The members as options, with the user first; with `hasSelf` also a user who is no member. */
export function PersonOptions({ hasSelf = false }: { readonly hasSelf?: boolean }) {
  const members = useMembers();
  const me = self();
  const own = me.id;
  const mine = members.find(({ id }) => id === own) ?? (hasSelf ? me : undefined);
  return (
    <>
      {mine !== undefined && <option value={mine.id}>{t('planning.me', { name: mine.name })}</option>}
      {members
        .filter(({ id }) => id !== own)
        .map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
    </>
  );
}
