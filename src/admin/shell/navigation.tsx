import { Link } from '@tanstack/react-router';
import { useProject } from '../api/project-data.js';
import { t } from '../texts/index.js';

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
    </nav>
  );
}
