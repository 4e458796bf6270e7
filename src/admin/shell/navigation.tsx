import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useProject } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { areas } from './areas.js';

interface Props {
  /** On narrow screens. */
  readonly isOpen: boolean;
  readonly onChoice: () => void;
}

const target = { to: '/$project/$environment' } as const;

/** Blocks are edited inside the entries that contain them. */
export function Navigation({ isOpen, onChoice }: Props) {
  const { slug, environment, types } = useProject();
  const params = { project: slug, environment };
  const activeOptions = { exact: true, includeSearch: true, explicitUndefined: false };
  return (
    <nav aria-label={t('nav.label')} className={isOpen ? 'side open' : 'side'} id="navigation">
      <ul>
        <li>
          <Link
            className="side-link"
            onClick={onChoice}
            params={params}
            to="/$project/$environment/dashboard"
          >
            {t('dashboard.title')}
          </Link>
        </li>
        <li>
          <Link
            {...target}
            activeOptions={activeOptions}
            className="side-link"
            onClick={onChoice}
            params={params}
            search={{}}
          >
            {t('nav.all')}
          </Link>
        </li>
      </ul>
      <h2 className="side-title">{t('nav.types')}</h2>
      <ul>
        {types
          .filter(({ isBlock }) => !isBlock)
          .map(({ apiName, name, entryCount }) => (
            <li key={apiName}>
              <Link
                {...target}
                activeOptions={{ exact: true, includeSearch: true }}
                className="side-link"
                onClick={onChoice}
                params={params}
                search={{ type: apiName }}
              >
                <span className="grow clip">{name}</span>
                <span className="soft small">{entryCount}</span>
              </Link>
            </li>
          ))}
      </ul>
      <AreaLinks onChoice={onChoice} />
    </nav>
  );
}

function AreaLinks({ onChoice }: Pick<Props, 'onChoice'>) {
  const { slug, environment, may } = useProject();
  return areas
    .map(({ title, links }) => ({
      title,
      links: links.filter(({ needs }) => needs === undefined || needs.some((one) => may(one))),
    }))
    .filter(({ links }) => links.length > 0)
    .map(({ title, links }) => (
      <Fragment key={title}>
        <h2 className="side-title">{t(title)}</h2>
        <ul>
          {links.map(({ to, label }) => (
            <li key={label}>
              <Link className="side-link" onClick={onChoice} to={['', slug, environment, to].join('/')}>
                {t(label)}
              </Link>
            </li>
          ))}
        </ul>
      </Fragment>
    ));
}
