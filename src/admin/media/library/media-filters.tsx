import { localesOf, useProject } from '../../api/project-data.js';
import { localeName, t } from '../../texts/index.js';
import { Choice } from '../../ui/choice.js';
import { IconButton } from '../../ui/icon-button.js';
import { SearchBox } from '../../ui/search-box.js';
import { mediaKinds, mediaOrders, type MediaSearch } from './media-search.js';

interface Props {
  readonly search: MediaSearch;
  readonly onChange: (search: MediaSearch) => void;
}

export function MediaFilters({ search, onChange }: Props) {
  const project = useProject();
  const isList = search.view === 'list';
  return (
    <div className="filters row">
      <SearchBox label={t('media.search')} onChange={(q) => onChange({ ...search, q })} value={search.q} />
      <Choice
        label={t('media.kind')}
        onChange={(chosen) => onChange({ ...search, kind: mediaKinds.find((kind) => kind === chosen) })}
        value={search.kind}
      >
        {mediaKinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(`media.${kind}`)}
          </option>
        ))}
      </Choice>
      <select
        aria-label={t('media.missingAlt')}
        className="select compact"
        onChange={({ target }) => onChange({ ...search, missingAlt: target.value || undefined })}
        value={search.missingAlt ?? ''}
      >
        <option value="">{t('media.anyAlt')}</option>
        {localesOf(project).map((locale) => (
          <option key={locale} value={locale}>
            {t('media.missingAltIn', { locale: localeName(locale) })}
          </option>
        ))}
      </select>
      <select
        aria-label={t('media.order')}
        className="select compact"
        onChange={({ target }) =>
          onChange({ ...search, order: mediaOrders.find((order) => order === target.value) })
        }
        value={search.order ?? mediaOrders[0]}
      >
        {mediaOrders.map((order) => (
          <option key={order} value={order}>
            {t(`media.order.${order}`)}
          </option>
        ))}
      </select>
      <label className="row tight">
        <input
          checked={search.unused === true}
          onChange={({ target }) => onChange({ ...search, unused: target.checked ? true : undefined })}
          type="checkbox"
        />
        {t('media.unused')}
      </label>
      {search.tag !== undefined && (
        <button className="button" onClick={() => onChange({ ...search, tag: undefined })} type="button">
          {t('media.withTag', { tag: search.tag })} ×
        </button>
      )}
      <span className="row tight" role="group">
        <IconButton
          aria-pressed={!isList}
          icon="type"
          label={t('media.viewGrid')}
          onClick={() => onChange({ ...search, view: undefined })}
        />
        <IconButton
          aria-pressed={isList}
          icon="list"
          label={t('media.viewList')}
          onClick={() => onChange({ ...search, view: 'list' })}
        />
      </span>
    </div>
  );
}
