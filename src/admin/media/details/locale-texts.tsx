import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { IconButton } from '../../ui/icon-button.js';
import { AssetCard } from '../asset-card.js';
import { AssetPicker } from '../asset-picker.js';

const names = ['altText', 'title', 'description'] as const;

/** What was typed or chosen in a locale; null clears a value. */
export type OverlayEdit = Readonly<
  Partial<Record<(typeof names)[number] | 'overrideStorageKey', string | null>>
>;

interface Props {
  readonly assetId: string;
  readonly locale: string;
  /** The saved values of the locale, if it has some. */
  readonly overlay: Outputs['media']['listLocales']['data'][number] | undefined;
  readonly edit: OverlayEdit;
  readonly onEdit: (edit: OverlayEdit) => void;
}

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
export function LocaleTexts({ assetId: id, locale, overlay, edit, onEdit }: Props) {
  const { slug: projectSlug, may } = useProject();
  const { data: shown } = useQuery(api.media.get.queryOptions({ projectSlug, id, locale }));
  const isReadOnly = !may('media.update');
  const valueOf = (name: keyof OverlayEdit): string | null => {
    const typed = edit[name];
    return typed === undefined ? (overlay?.[name] ?? null) : typed;
  };
  return (
    <>
      {names.map((name) => (
        <label className="field" key={name}>
          <span className="label">{t(`media.${name}`)}</span>
          <textarea
            className="area short"
            dir="auto"
            lang={locale}
            onChange={({ target }) => onEdit({ [name]: target.value })}
            placeholder={shown?.data[name] ?? ''}
            readOnly={isReadOnly}
            rows={name === 'description' ? 3 : 1}
            value={valueOf(name) ?? ''}
          />
        </label>
      ))}
      <OtherFile
        isReadOnly={isReadOnly}
        onChange={(overrideStorageKey) => onEdit({ overrideStorageKey })}
        value={valueOf('overrideStorageKey')}
      />
    </>
  );
}
