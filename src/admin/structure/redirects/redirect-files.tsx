import { useState } from 'react';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { download } from '../../ui/download.js';
import { notifyFailure } from '../../ui/toasts.js';
import { ImportDialog } from './import-dialog.js';

/** Import and export of redirects as CSV. */
export function RedirectFiles() {
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
