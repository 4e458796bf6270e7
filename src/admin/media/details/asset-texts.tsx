import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, client, type Outputs } from '../../api/client.js';
import { localesOf, useProject, type Asset } from '../../api/project-data.js';
import { useCall } from '../../api/use-call.js';
import { localeName, t } from '../../texts/index.js';
import { Loaded } from '../../ui/states.js';
import { notify } from '../../ui/toasts.js';
import { refreshMedia, useAssetLocales } from '../media-queries.js';
import { SaveRow } from './asset-properties.js';
import { IconButton } from '../../ui/icon-button.js';
import { AssetCard } from '../asset-card.js';
import { AssetPicker } from '../asset-picker.js';

const names = ['altText', 'title', 'description'] as const;

/** What was typed or chosen in a locale; null clears a value. */
type OverlayEdit = Readonly<Partial<Record<(typeof names)[number] | 'overrideStorageKey', string | null>>>;

interface LocaleTextsProps {
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
function LocaleTexts({ assetId: id, locale, overlay, edit, onEdit }: LocaleTextsProps) {
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

type Overlay = Outputs['media']['listLocales']['data'][number];

interface Props {
  readonly asset: Asset;
  readonly onUnsaved: (isUnsaved: boolean) => void;
}

/** What was typed, by locale. */
type Edits = Readonly<Record<string, OverlayEdit>>;

const overlayOf = (overlays: readonly Overlay[], locale: string): Overlay | undefined =>
  overlays.find((one) => one.locale === locale);

/** What of an edit differs from the saved values, as the service takes it; undefined if nothing does. */
function changesOf(edit: OverlayEdit, overlay: Overlay | undefined): OverlayEdit | undefined {
  const changes = Object.entries(edit)
    .map(([name, value]) => [name, value?.trim() || null] as const)
    .filter(([name, value]) => value !== (overlay?.[name as keyof OverlayEdit] ?? null));
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** One form for all locales: going to another locale keeps what was typed, and one button saves everything. */
export function AssetTexts({ asset, onUnsaved }: Props) {
  const query = useAssetLocales(asset.id);
  return (
    <section aria-labelledby="asset-texts" className="stack">
      <h2 className="group-title" id="asset-texts">
        {t('media.words')}
      </h2>
      <Loaded query={query}>
        {({ data }) => <TextsForm asset={asset} onUnsaved={onUnsaved} overlays={data} />}
      </Loaded>
    </section>
  );
}

function TextsForm({ asset, overlays, onUnsaved }: Props & { readonly overlays: readonly Overlay[] }) {
  const project = useProject();
  const { slug: projectSlug } = project;
  const locales = localesOf(project);
  const [locale, setLocale] = useState(locales[0] ?? '');
  const [edits, setEdits] = useState<Edits>({});
  const { isBusy, failure, run } = useCall();
  const unsaved = locales.flatMap((one) => {
    const changes = changesOf(edits[one] ?? {}, overlayOf(overlays, one));
    return changes === undefined ? [] : [{ locale: one, changes }];
  });
  const isUnsaved = unsaved.length > 0;
  useEffect(() => {
    onUnsaved(isUnsaved);
  }, [isUnsaved, onUnsaved]);
  const lacksAlt = (one: string): boolean => {
    const typed = edits[one]?.altText;
    const altText = typed === undefined ? overlayOf(overlays, one)?.altText : typed;
    return asset.mimeType.startsWith('image/') && (altText ?? '').trim() === '';
  };
  const save = async (): Promise<void> => {
    for (const { locale: one, changes } of unsaved) {
      try {
        await client.media.putLocale.mutate({ projectSlug, id: asset.id, locale: one, ...changes });
      } catch (error) {
        setLocale(one);
        throw error;
      }
    }
    await refreshMedia();
    // What was typed during the call stays.
    setEdits((now) => Object.fromEntries(Object.entries(now).filter(([one, edit]) => edit !== edits[one])));
    notify(t('media.textsSaved', { locale: unsaved.map((one) => localeName(one.locale)).join(', ') }));
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void run(save);
      }}
    >
      <div aria-label={t('entry.locale')} className="row" role="group">
        {locales.map((one) => (
          <button
            aria-pressed={one === locale}
            className="button"
            key={one}
            onClick={() => setLocale(one)}
            type="button"
          >
            {localeName(one)}
            {unsaved.some((other) => other.locale === one) && (
              <span className="badge">{t('media.unsaved')}</span>
            )}
            {lacksAlt(one) && <span className="badge changed">{t('media.noAlt')}</span>}
          </button>
        ))}
      </div>
      <LocaleTexts
        assetId={asset.id}
        edit={edits[locale] ?? {}}
        key={locale}
        locale={locale}
        onEdit={(edit) => setEdits((now) => ({ ...now, [locale]: { ...now[locale], ...edit } }))}
        overlay={overlayOf(overlays, locale)}
      />
      <SaveRow failure={failure} isDisabled={isBusy || !isUnsaved} label={t('media.saveTexts')} />
    </form>
  );
}
