import { createContext, useContext } from 'react';
import type { Outputs } from '../api/client.js';
import { listText, t } from '../texts/index.js';

export type Person = Outputs['entries']['announce']['data']['people'][number];

/** Who else is on the edited entry, and the locale that is edited. */
export const PresenceContext = createContext<{ readonly people: readonly Person[]; readonly locale: string }>(
  {
    people: [],
    locale: '',
  },
);

interface Props {
  readonly path: string;
  /** Of a block: also those who are in its fields. */
  readonly isBlock?: boolean;
  /** Whether all locales have the value. */
  readonly isShared?: boolean;
}

const isAt = (place: string, path: string, isBlock: boolean): boolean =>
  place === path || place.startsWith(`${path}[#`) || (isBlock && place.startsWith(`${path}.`));

/** The others who are in a field or block. It is not locked: what they change elsewhere is merged. */
export function PresenceMark({ path, isBlock = false, isShared = false }: Props) {
  const { people, locale } = useContext(PresenceContext);
  const names = people
    .filter(
      (one) => one.path !== null && isAt(one.path, path, isBlock) && (isShared || one.locale === locale),
    )
    .map(({ name }) => name);
  if (names.length === 0) return null;
  return <span className="presence-mark">{t('presence.inField', { names: listText(names) })}</span>;
}
