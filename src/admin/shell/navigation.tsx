import { Link, useLocation } from '@tanstack/react-router';
import { ChevronDown, FileText, Files, LayoutDashboard, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useProject } from '../api/project-data.js';
import { t, type TextKey } from '../texts/index.js';
import { useAreas } from './areas.js';

interface Props {
  /** On narrow screens. */
  readonly isOpen: boolean;
  readonly onChoice: () => void;
}

const target = { to: '/$project/$environment' } as const;

const ICON_PIXELS = 16;

const Label = ({ icon: Icon, children }: { readonly icon: LucideIcon; readonly children: string }) => (
  <>
    <Icon aria-hidden="true" size={ICON_PIXELS} strokeWidth={1.75} />
    <span className="grow clip">{children}</span>
  </>
);

const KEY = 'headwater.navigation';

/** By the title of a group: whether the user has opened or closed it in this browser. */
type Choices = Readonly<Record<string, boolean>>;

function keptChoices(): Choices {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Choices;
  } catch {
    return {};
  }
}

interface GroupProps {
  readonly title: TextKey;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

function Group({ title, isOpen, onToggle, children }: GroupProps) {
  const id = `group-${title}`;
  return (
    <>
      <h2 className="side-title">
        <button
          aria-controls={id}
          aria-expanded={isOpen}
          className="side-toggle"
          onClick={onToggle}
          type="button"
        >
          <span className="grow clip">{t(title)}</span>
          <ChevronDown aria-hidden="true" size={14} />
        </button>
      </h2>
      <ul hidden={!isOpen} id={id}>
        {children}
      </ul>
    </>
  );
}

function ContentLinks({ onChoice }: Pick<Props, 'onChoice'>) {
  const { slug, environment } = useProject();
  const params = { project: slug, environment };
  return (
    <ul>
      <li>
        <Link className="side-link" onClick={onChoice} params={params} to="/$project/$environment/dashboard">
          <Label icon={LayoutDashboard}>{t('dashboard.title')}</Label>
        </Link>
      </li>
      <li>
        <Link
          {...target}
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: false }}
          className="side-link"
          onClick={onChoice}
          params={params}
          search={{}}
        >
          <Label icon={Files}>{t('nav.all')}</Label>
        </Link>
      </li>
    </ul>
  );
}

/** Blocks are edited inside the entries that contain them. */
function TypeLinks({ onChoice }: Pick<Props, 'onChoice'>) {
  const { slug, environment, types } = useProject();
  return types
    .filter(({ isBlock }) => !isBlock)
    .map(({ apiName, name, entryCount }) => (
      <li key={apiName}>
        <Link
          {...target}
          activeOptions={{ exact: true, includeSearch: true }}
          className="side-link"
          onClick={onChoice}
          params={{ project: slug, environment }}
          search={{ type: apiName }}
        >
          <Label icon={FileText}>{name}</Label>
          <span className="soft small">{entryCount}</span>
        </Link>
      </li>
    ));
}

/** The areas that the user may open, in groups that are opened and closed; the one of the current screen is open. */
export function Navigation({ isOpen, onChoice }: Props) {
  const { slug, environment, types } = useProject();
  const [choices, setChoices] = useState(keptChoices);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const addressOf = (to: string): string => ['', slug, environment, to].join('/');
  const groupOf = (title: TextKey, isOpenAtFirst: boolean): Omit<GroupProps, 'children'> => {
    const isShown = choices[title] ?? isOpenAtFirst;
    const toggle = (): void => {
      const next = { ...choices, [title]: !isShown };
      localStorage.setItem(KEY, JSON.stringify(next));
      setChoices(next);
    };
    return { title, isOpen: isShown, onToggle: toggle };
  };
  const shown = useAreas().filter(({ links }) => links.length > 0);
  return (
    <nav aria-label={t('nav.label')} className={isOpen ? 'side open' : 'side'} id="navigation">
      <ContentLinks onChoice={onChoice} />
      {types.some(({ isBlock }) => !isBlock) && (
        <Group {...groupOf('nav.types', true)}>
          <TypeLinks onChoice={onChoice} />
        </Group>
      )}
      {shown.map(({ title, links, isOpen: isOpenAtFirst = false }) => (
        <Group
          key={title}
          {...groupOf(title, isOpenAtFirst || links.some(({ to }) => path.startsWith(addressOf(to))))}
        >
          {links.map(({ to, label, icon }) => (
            <li key={label}>
              <Link className="side-link" onClick={onChoice} to={addressOf(to)}>
                <Label icon={icon}>{t(label)}</Label>
              </Link>
            </li>
          ))}
        </Group>
      ))}
    </nav>
  );
}
