import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams, useNavigate } from '@tanstack/react-router';
import { useEffect, useState, Suspense } from 'react';
import { mayWith, rightsIn, type Rights } from '../api/permissions.js';
import { ProjectContext, projectQuery, type ProjectData, useProject } from '../api/project-data.js';
import { t, type TextKey } from '../texts/index.js';
import { Failed, Loading } from '../ui/states.js';
import { keepLastProject } from './last-project.js';
import { Navigation } from './navigation.js';
import { Dialog } from '../ui/dialog.js';
import { useWindowKey } from '../ui/hooks.js';
import { useSession } from '../api/session-store.js';
import { logOut } from '../api/sessions-client.js';
import { PaletteLauncher } from '../palette/palette-launcher.js';
import { IconButton } from '../ui/icon-button.js';
import { Preferences } from './preferences.js';
import { lazyPart } from '../ui/lazy-part.js';

const Avatar = lazyPart(() => import('../account/avatar.js'), 'Avatar');
const Bell = lazyPart(() => import('../notifications/bell.js'), 'Bell');

function EnvironmentSwitch() {
  const { slug, environment, environments } = useProject();
  const navigate = useNavigate();
  if (environments.length < 2)
    return (
      <span className="badge wide-only">
        {environments.find((one) => one.slug === environment)?.name ?? environment}
      </span>
    );
  return (
    <select
      aria-label={t('environment.switch')}
      className="select compact"
      onChange={({ target }) =>
        void navigate({ to: '/$project/$environment', params: { project: slug, environment: target.value } })
      }
      value={environment}
    >
      {environments.map(({ slug: one, name, isDefault }) => (
        <option key={one} value={one}>
          {isDefault ? `${name} (${t('environment.default')})` : name}
        </option>
      ))}
    </select>
  );
}

/** Who is logged in, with theme and language. */
function Account() {
  const { slug, environment } = useProject();
  const session = useSession();
  const [isOpen, setIsOpen] = useState(false);
  if (session.status === 'none') return null;
  const { id, name, email } = session.session.user;
  return (
    <>
      <button aria-label={name} className="button plain" onClick={() => setIsOpen(true)} type="button">
        <Suspense fallback={<span className="avatar" />}>
          <Avatar name={name} userId={id} />
        </Suspense>
        <span className="wide-only">{name}</span>
      </button>
      {isOpen && (
        <Dialog onClose={() => setIsOpen(false)} title={name}>
          <p className="row">
            <Suspense>
              <Avatar isLarge name={name} userId={id} />
            </Suspense>
            <span className="soft grow">{email}</span>
          </p>
          <Link
            className="button"
            onClick={() => setIsOpen(false)}
            to={['', slug, environment, 'account'].join('/')}
          >
            {t('account.title')}
          </Link>
          <Preferences />
          <button className="button" onClick={() => void logOut()} type="button">
            {t('login.logout')}
          </button>
        </Dialog>
      )}
    </>
  );
}

interface Props {
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
}

function TopBar({ isMenuOpen, onMenu }: Props) {
  const { name } = useProject();
  return (
    <header className="top">
      <IconButton
        aria-controls="navigation"
        aria-expanded={isMenuOpen}
        className="narrow-only"
        icon="menu"
        label={t('app.menu')}
        onClick={onMenu}
      />
      <Link className="brand" title={t('project.other')} to="/">
        <img alt="" height="24" src={`${import.meta.env.BASE_URL}favicon.svg`} width="24" />
        <span className="clip">{name}</span>
      </Link>
      <EnvironmentSwitch />
      <span className="grow" />
      <PaletteLauncher />
      <Suspense fallback={<span className="bell-place" />}>
        <Bell />
      </Suspense>
      <Account />
    </header>
  );
}

const control = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

const shortcuts: readonly (readonly [keys: string, text: TextKey])[] = [
  ['?', 'shortcuts.help'],
  [`${control} + K`, 'shortcuts.palette'],
  [`${control} + S`, 'shortcuts.save'],
  [`${control} + Z`, 'shortcuts.undo'],
  [`${control} + Enter`, 'shortcuts.comment'],
  ['Alt + ↑ ↓ ← →', 'shortcuts.tree'],
  ['Esc', 'shortcuts.close'],
];

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** "?" lists what the keyboard does, unless something is typed or a dialog is open. */
function Shortcuts() {
  const [isOpen, setIsOpen] = useState(false);
  useWindowKey((event) => {
    if (event.key !== '?' || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]') === null) setIsOpen(true);
  });
  if (!isOpen) return null;
  return (
    <Dialog onClose={() => setIsOpen(false)} title={t('shortcuts.title')}>
      <dl className="shortcuts">
        {shortcuts.map(([keys, text]) => (
          <div className="row" key={text}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd className="grow">{t(text)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

interface ProjectAddress {
  readonly slug: string;
  readonly environment: string;
}

/** Loads what every screen of the project needs. */
export function ProjectShell() {
  const { project: slug = '', environment = '' } = useParams({ strict: false });
  const read = useQuery(projectQuery(slug, environment));
  const permitted = useQuery(rightsIn(slug, environment));
  const data = read.data;
  useEffect(() => {
    if (data !== undefined) keepLastProject(slug);
  }, [data, slug]);
  if (data !== undefined && permitted.data !== undefined)
    return <ProjectFrame data={data} rights={permitted.data} place={{ slug, environment }} />;
  const error = read.error ?? permitted.error;
  if (error === null) return <Loading />;
  const retry = (): void => {
    void read.refetch();
    void permitted.refetch();
  };
  return (
    <main>
      <Failed error={error} onRetry={retry} />
      <p className="blank">
        <Link to="/">{t('project.choose')}</Link>
      </p>
    </main>
  );
}

interface FrameProps {
  readonly data: ProjectData;
  readonly rights: Rights;
  readonly place: ProjectAddress;
}

function ProjectFrame({ data, rights, place }: FrameProps) {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  return (
    <ProjectContext value={{ ...data, ...place, name: rights.projectName, may: mayWith(rights.permissions) }}>
      <a className="skip" href="#content">
        {t('app.skip')}
      </a>
      <div className="shell">
        <TopBar isMenuOpen={isMenuOpen} onMenu={() => setIsMenuOpen(!isMenuOpen)} />
        <Navigation isOpen={isMenuOpen} onChoice={() => setIsMenuOpen(false)} />
        <main className="content" id="content" key={`${place.slug}/${place.environment}`} tabIndex={-1}>
          <Outlet />
        </main>
        <Shortcuts />
      </div>
    </ProjectContext>
  );
}
