import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Outputs } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { localeName, t } from '../../texts/index.js';
import { IconButton } from '../../ui/icon-button.js';
import { notify } from '../../ui/toasts.js';
import { AssetCard } from '../asset-card.js';
import { AssetPicker } from '../asset-picker.js';
import { refreshMedia } from '../media-queries.js';

interface Props {
  readonly asset: Asset;
  readonly locale: string;
  /** The own values of the locale, if it has some. */
  readonly overlay: Outputs['media']['listLocales']['data'][number] | undefined;
}

const names = ['altText', 'title', 'description'] as const;
const PREFIX = 'asset:';

interface OtherFileProps {
  /** Names another asset, or the file of one. */
  readonly value: string | null;
  readonly isReadOnly: boolean;
  readonly onChange: (value: string | null) => void;
}

/** The file that is shown instead in the locale, such as a picture with words in it. */
function OtherFile({ value, isReadOnly, onChange }: OtherFileProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="field">
      <span className="label">{t('media.otherFile')}</span>
      <div className="linked">
        {value === null ? (
          <span className="soft grow">{t('field.none')}</span>
        ) : value.startsWith(PREFIX) ? (
          <AssetCard id={value.slice(PREFIX.length)} />
        ) : (
          <span className="grow clip">{value}</span>
        )}
        {!isReadOnly && (
          <button className="button" onClick={() => setIsOpen(true)} type="button">
            {value === null ? t('field.choose') : t('field.replace')}
          </button>
        )}
        {!isReadOnly && value !== null && (
          <IconButton icon="close" label={t('field.clear')} onClick={() => onChange(null)} />
        )}
      </div>
      {isOpen && (
        <AssetPicker
          onChoice={({ id }) => {
            onChange(`${PREFIX}${id}`);
            setIsOpen(false);
          }}
          onClose={() => setIsOpen(false)}
          types={undefined}
        />
      )}
    </div>
  );
}

/** The own texts of a locale; what it takes from its fallbacks is shown where it has none. */
export function LocaleTexts({ asset: { id }, locale, overlay }: Props) {
  const { slug: projectSlug, may } = useProject();
  const [other, setOther] = useState(overlay?.overrideStorageKey ?? null);
  const [message, setMessage] = useState('');
  const { data: shown } = useQuery(api.media.get.queryOptions({ projectSlug, id, locale }));
  const isReadOnly = !may('media.update');
  const save = async (form: FormData): Promise<void> => {
    const values = Object.fromEntries(names.map((name) => [name, (form.get(name) as string).trim() || null]));
    const overrideStorageKey = other === (overlay?.overrideStorageKey ?? null) ? undefined : other;
    try {
      await client.media.putLocale.mutate({ projectSlug, id, locale, ...values, overrideStorageKey });
      setMessage('');
      notify(t('media.textsSaved', { locale: localeName(locale) }));
      void refreshMedia();
    } catch (error) {
      const failure = failureOf(error);
      setMessage(failure.issues[0]?.message ?? failure.message);
    }
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save(new FormData(event.currentTarget));
      }}
    >
      {names.map((name) => (
        <label className="field" key={name}>
          <span className="label">{t(`media.${name}`)}</span>
          <textarea
            className="area short"
            defaultValue={overlay?.[name] ?? ''}
            dir="auto"
            lang={locale}
            name={name}
            placeholder={shown?.data[name] ?? ''}
            readOnly={isReadOnly}
            rows={name === 'description' ? 3 : 1}
          />
        </label>
      ))}
      <OtherFile isReadOnly={isReadOnly} onChange={setOther} value={other} />
      <p aria-live="polite" className="problem">
        {message}
      </p>
      {!isReadOnly && (
        <div className="row">
          <button className="button primary" type="submit">
            {t('media.saveTexts')}
          </button>
        </div>
      )}
    </form>
  );
}
