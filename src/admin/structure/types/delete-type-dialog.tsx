import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, client, type Outputs } from '../../api/client.js';
import { useProject, type ContentType } from '../../api/project-data.js';
import { formatNumber, t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { Loaded } from '../../ui/states.js';
import { notify } from '../../ui/toasts.js';
import { useCall } from '../../api/use-call.js';

type Check = Outputs['contentTypes']['checkDelete']['data'];

const counts = [
  'entryCount',
  'publishedEntryCount',
  'deletedEntryCount',
  'ownedBlockCount',
  'treeNodeCount',
  'workflowCount',
  'savedViewCount',
  'customReportCount',
  'webhookCount',
] as const;

/** What depends on the type. */
function Dependents({ check }: { readonly check: Check }) {
  const { slug, environment } = useProject();
  return (
    <>
      {check.blockers.map((blocker) => (
        <p className="problem" key={blocker}>
          {t(`types.blocker.${blocker}`)}
        </p>
      ))}
      <dl className="facts">
        {counts.map((key) => (
          <div key={key}>
            <dt>{t(`types.check.${key}`)}</dt>
            <dd>{formatNumber(check[key])}</dd>
          </div>
        ))}
      </dl>
      {check.referencedBy.length > 0 && (
        <ul>
          {check.referencedBy.map(({ contentTypeApiName, fieldApiName, count }) => (
            <li key={`${contentTypeApiName} ${fieldApiName}`}>
              {t('types.referencedBy', { field: `${contentTypeApiName}.${fieldApiName}`, count })}
            </li>
          ))}
        </ul>
      )}
      {check.sampleEntryIds.length > 0 && (
        <p>
          {t('types.samples')}{' '}
          {check.sampleEntryIds.map((entry, index) => (
            <span key={entry}>
              {index > 0 && ', '}
              <Link
                params={{ project: slug, environment, entry }}
                search={{ locale: undefined }}
                to="/$project/$environment/entries/$entry"
              >
                {index + 1}
              </Link>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

interface Props {
  readonly type: ContentType;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks the service what would be concerned before it offers to delete the type. */
export function DeleteTypeDialog({ type, onClose, onDeleted }: Props) {
  const { slug: projectSlug } = useProject();
  const input = { projectSlug, apiName: type.apiName };
  const check = useQuery(api.contentTypes.checkDelete.queryOptions(input));
  const { isBusy, failure, run } = useCall();
  const remove = (): Promise<void> =>
    run(async () => {
      await client.contentTypes.delete.mutate(input);
      notify(t('resource.deleted', { name: type.name }));
      onDeleted();
    });
  return (
    <Dialog onClose={onClose} title={t('types.delete', { name: type.name })}>
      <Loaded query={check}>{({ data }) => <Dependents check={data} />}</Loaded>
      <DialogFooter
        disabled={isBusy || check.data?.data.canDelete !== true}
        isDangerous
        onCancel={onClose}
        onRun={remove}
        refusal={failure?.problem}
        run={t('resource.delete')}
      />
    </Dialog>
  );
}
