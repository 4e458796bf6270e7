import { Link, useNavigate } from '@tanstack/react-router';
import { CircleUser } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useProject } from '../api/project-data.js';
import { useSession } from '../api/session-store.js';
import { logOut } from '../api/sessions-client.js';
import { PaletteLauncher } from '../palette/palette-launcher.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { IconButton } from '../ui/icon-button.js';
import { Preferences } from './preferences.js';
import { lazyPart } from '../ui/lazy-part.js';

const Bell = lazyPart(() => import('../notifications/bell.js'), 'Bell');

function EnvironmentSwitch() {
  const { slug, environment, environments } = useProject();
  const navigate = useNavigate();
  if (environments.length < 2)
    return (
      <span className="badge clip">
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
  const { name, email } = session.session.user;
  return (
    <>
      <button aria-label={name} className="button plain" onClick={() => setIsOpen(true)} type="button">
        <CircleUser aria-hidden="true" size={18} strokeWidth={1.75} />
        <span className="wide-only">{name}</span>
      </button>
      {isOpen && (
        <Dialog onClose={() => setIsOpen(false)} title={name}>
          <p className="soft">{email}</p>
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

export function TopBar({ isMenuOpen, onMenu }: Props) {
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
