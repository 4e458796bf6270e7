import type { ReactNode } from 'react';
import { t } from '../texts/index.js';
import { Dialog } from './dialog.js';
import { Loaded, type QueryLike } from './states.js';

interface Props<Item> {
  readonly title: string;
  readonly isWide?: boolean;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly query: QueryLike<{ readonly data: readonly Item[] }>;
  readonly onChoice: (item: Item) => void;
  readonly onClose: () => void;
  /** Between the search and what is found. */
  readonly actions?: ReactNode;
  /** Shows an item. */
  readonly children: (item: Item) => ReactNode;
}

/** A dialog that finds items by what is typed and lets one of them be chosen. */
export function Picker<Item extends { readonly id: string }>(props: Props<Item>) {
  const { title, isWide = false, typed, onType, query, onChoice, onClose, actions, children } = props;
  return (
    <Dialog isWide={isWide} onClose={onClose} title={title}>
      <input
        aria-label={t('pick.search')}
        data-focus
        className="input"
        onChange={({ target }) => onType(target.value)}
        // Enter would send a form around the picker.
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
        placeholder={t('pick.search')}
        type="search"
        value={typed}
      />
      {actions}
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{t('pick.none')}</p>
          ) : (
            <ul className={isWide ? 'choices two' : 'choices'}>
              {data.map((item) => (
                <li key={item.id}>
                  <button className="choice" onClick={() => onChoice(item)} type="button">
                    {children(item)}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}
