import { redirects } from '../../../../contracts/routing/redirects/redirects.contract.js';
import { type Outputs, client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { OptionSelect } from '../../fields/choice-editors.js';
import type { PropertyControlProps } from '../../resources/control-props.js';
import { deletion, resourceOf } from '../../resources/resource-config.js';
import { ResourceScreen } from '../../resources/resource-screen.js';
import { t } from '../../texts/index.js';
import { LocaleChoice } from '../locale-table.js';
import { useState } from 'react';
import { download } from '../../ui/download.js';
import { notifyFailure } from '../../ui/toasts.js';
import { ImportDialog } from './import-dialog.js';

/** Import and export of redirects as CSV. */
function RedirectFiles() {
  const { slug: projectSlug, may } = useProject();
  const [isImporting, setIsImporting] = useState(false);
  const save = async (): Promise<void> => {
    try {
      const { data } = await client.redirects.export.query({ projectSlug });
      download(data.fileName, 'text/csv', data.csv);
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <div className="filters row">
      {may('redirects.import') && (
        <button className="button" onClick={() => setIsImporting(true)} type="button">
          {t('redirects.import')}
        </button>
      )}
      <button className="button" onClick={() => void save()} type="button">
        {t('redirects.export')}
      </button>
      {isImporting && <ImportDialog onClose={() => setIsImporting(false)} />}
    </div>
  );
}

type Redirect = Outputs['redirects']['get']['data'];

function SiteChoice(props: PropertyControlProps) {
  const { sites } = useProject();
  const options = sites.map(({ id, name }) => ({ value: id, label: name }));
  return <OptionSelect {...props} options={options} />;
}

function SiteName({ id }: { readonly id: string }) {
  return useProject().sites.find((site) => site.id === id)?.name ?? id;
}

const resource = resourceOf<Redirect>({
  name: 'redirects',
  contracts: redirects,
  title: 'redirects.title',
  createLabel: 'redirects.create',
  nameOf: ({ source }) => source,
  columns: ['source', 'target', 'status', 'siteId', 'locale', 'matchType', 'isActive', 'origin', 'hitCount'],
  cells: { siteId: ({ siteId }) => <SiteName id={siteId} />, status: ({ status }) => status },
  filters: ['siteId', 'isActive', 'origin'],
  filterOptions: { siteId: ({ sites }) => sites.map(({ id, name }) => ({ value: id, label: name })) },
  form: {
    order: ['siteId', 'source', 'target', 'status', 'matchType', 'queryMatch', 'locale', 'isActive', 'note'],
    editors: { siteId: SiteChoice, locale: LocaleChoice },
    start: { status: 301, matchType: 'exact', queryMatch: 'ignore', isActive: true },
  },
  facts: ['siteId', 'origin', 'hitCount', 'lastHitAt', 'updatedAt'],
  actions: [deletion()],
});

export const RedirectsScreen = () => (
  <ResourceScreen resource={resource}>
    <RedirectFiles />
  </ResourceScreen>
);
