import { t } from '../texts/index.js';
import { self, useMembers } from './users.js';

/** The members as options, with the user first. */
export function PersonOptions() {
  const members = useMembers();
  const { id: own } = self();
  const mine = members.find(({ id }) => id === own);
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
