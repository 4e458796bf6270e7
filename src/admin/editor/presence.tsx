import { useEffect, useRef, useState } from 'react';
import { limits } from '../../../contracts/limits.js';
import { clientIn } from '../api/client.js';
import { useProject, type Entry } from '../api/project-data.js';
import { Avatar } from '../account/avatar.js';
import type { Person } from '../fields/presence-mark.js';
import { listenLive } from '../notifications/live.js';
import { listText, localeName, t } from '../texts/index.js';

interface Others {
  readonly entryId: string;
  readonly people: readonly Person[];
  readonly total: number;
}

const SHOWN = 4;
/** Moving through fields is announced once it pauses. */
const PAUSE_MS = 300;

/** This window; users may have several. */
const client = Math.random().toString(36).slice(2, 12);

/** The path of the field or block that has the focus. */
const focusedPath = (target: EventTarget | null): string | null =>
  target instanceof Element
    ? (target.closest<HTMLElement>('.editor-form [data-path]')?.dataset.path ?? null)
    : null;

/** Announces where the user is, and hears who else is on the entry. */
function usePresence({ id, locale }: Entry): Others {
  const { slug: projectSlug, environment } = useProject();
  const [others, setOthers] = useState<Others>({ entryId: id, people: [], total: 0 });
  const path = useRef<string | null>(null);
  useEffect(() => {
    let isOver = false;
    let pause: ReturnType<typeof setTimeout> | undefined;
    const calls = clientIn(environment, { isLasting: true }).entries.announce;
    const place = { projectSlug, id, client };
    // What cannot be announced now is with the next repetition.
    const announce = (): void =>
      void calls
        .mutate({ ...place, locale, path: path.current?.slice(0, limits.presencePathLength) ?? null })
        .then(
          ({ data }) => {
            if (!isOver) setOthers(data);
          },
          () => undefined,
        );
    const leave = (): void => void calls.mutate({ ...place, isLeaving: true }).catch(() => undefined);
    const move = (next: string | null): void => {
      if (next === path.current) return;
      path.current = next;
      clearTimeout(pause);
      pause = setTimeout(announce, PAUSE_MS);
    };
    const onFocus = ({ target }: FocusEvent): void => move(focusedPath(target));
    const onBlur = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget === null) move(null);
    };
    const stop = listenLive(({ event, data }) => {
      if (event === 'presence' && (data as Others).entryId === id) setOthers(data as Others);
      if (event === 'open') announce();
    });
    announce();
    const repeat = setInterval(announce, limits.presenceRepeatSeconds * 1000);
    addEventListener('focusin', onFocus);
    addEventListener('focusout', onBlur);
    addEventListener('pagehide', leave);
    return () => {
      isOver = true;
      clearTimeout(pause);
      clearInterval(repeat);
      stop();
      removeEventListener('focusin', onFocus);
      removeEventListener('focusout', onBlur);
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [projectSlug, environment, id, locale]);
  return others;
}

const placeText = ({ name, locale }: Person): string =>
  locale === null ? name : t('presence.person', { name, locale: localeName(locale) });

/** The others on the entry, with their initials. Nothing for who is alone. */
function People({ others: { people, total } }: { readonly others: Others }) {
  const shown = people.slice(0, SHOWN);
  const rest = total - shown.length;
  return (
    <>
      {total > 0 && (
        <ul aria-label={t('presence.title')} className="people">
          {shown.map((person) => (
            <li key={person.userId} title={placeText(person)}>
              <Avatar name={person.name} userId={person.userId} />
              <span className="hidden-text">{placeText(person)}</span>
            </li>
          ))}
          {rest > 0 && <li className="avatar">{t('presence.more', { count: rest })}</li>}
        </ul>
      )}
      <span className="hidden-text" role="status">
        {total > 0 && t('presence.here', { names: listText(people.slice(0, SHOWN).map(({ name }) => name)) })}
      </span>
    </>
  );
}

interface PresenceProps {
  readonly entry: Entry;
  readonly onPeople: (people: readonly Person[]) => void;
}

/** Announces the user, and shows the others. */
export function Presence({ entry, onPeople }: PresenceProps) {
  const others = usePresence(entry);
  const { people } = others;
  useEffect(() => onPeople(people), [people, onPeople]);
  return <People others={others} />;
}
