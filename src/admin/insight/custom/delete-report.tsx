import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client, queryClient } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import type { Report } from './definition-dialog.js';

export function DeleteReport({ report: { id, name } }: { readonly report: Report }) {
  const { slug: project, environment } = useProject();
  const navigate = useNavigate();
  const [isAsked, setIsAsked] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await client.customReports.delete.mutate({ projectSlug: project, id });
      notify(t('custom.deleted'));
      await navigate({ to: '/$project/$environment/custom-reports', params: { project, environment } });
      await queryClient.invalidateQueries({ queryKey: ['customReports', 'list'] });
    } catch (error) {
      notifyFailure(error);
      setIsBusy(false);
    }
  };
  return (
    <>
      <button className="button" onClick={() => setIsAsked(true)} type="button">
        {t('custom.delete')}
      </button>
      {isAsked && (
        <Dialog onClose={() => setIsAsked(false)} title={t('custom.deleteTitle', { name })}>
          <p>{t('custom.deleteHint')}</p>
          <div className="actions">
            <button className="button" data-focus onClick={() => setIsAsked(false)} type="button">
              {t('app.cancel')}
            </button>
            <button className="button danger" disabled={isBusy} onClick={() => void remove()} type="button">
              {t('custom.delete')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
