import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { mayWith, rightsIn, type Rights } from '../api/permissions.js';
import { ProjectContext, projectQuery, type ProjectData } from '../api/project-data.js';
import { t, type TextKey } from '../texts/index.js';
import { Failed, Loading } from '../ui/states.js';
import { keepLastProject } from './last-project.js';
import { Navigation } from './navigation.js';
import { TopBar } from './top-bar.js';
import { Dialog } from '../ui/dialog.js';
import { useWindowKey } from '../ui/hooks.js';

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

interface Place {
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
  readonly place: Place;
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
