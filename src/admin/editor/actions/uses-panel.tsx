import { t } from '../../texts/index.js';
import { IconButton } from '../../ui/icon-button.js';
import { LinkedList, ReferenceList } from './reference-list.js';

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

/** Where the entry is used, and what it uses. */
export function UsesPanel({ id, onClose }: Props) {
  return (
    <aside aria-label={t('entry.uses')} className="panel">
      <div className="row">
        <h2 className="grow">{t('entry.uses')}</h2>
        <IconButton icon="close" label={t('app.close')} onClick={onClose} />
      </div>
      <ReferenceList empty={t('uses.none')} id={id} />
      <LinkedList direction="in" id={id} label={t('uses.inPublished')} />
      <LinkedList direction="out" id={id} label={t('uses.out')} />
    </aside>
  );
}
