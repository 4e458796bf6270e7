import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { mayWith, rightsIn, type Rights } from '../api/permissions.js';
import { ProjectContext, projectQuery, type ProjectData } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Failed, Loading } from '../ui/states.js';
import { keepLastProject } from './last-project.js';
import { Navigation } from './navigation.js';
import { Shortcuts } from './shortcuts.js';
import { TopBar } from './top-bar.js';

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
