import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../../api/client.js';
import { localesOf, useProject, type Asset } from '../../api/project-data.js';
import { localeName, t } from '../../texts/index.js';
import { Loaded } from '../../ui/states.js';
import { LocaleTexts } from './locale-texts.js';

type Overlay = Outputs['media']['listLocales']['data'][number];

const hasAlt = (overlays: readonly Overlay[], locale: string): boolean =>
  overlays.some((overlay) => overlay.locale === locale && (overlay.altText ?? '') !== '');

interface Props {
  readonly asset: Asset;
}

/** What is said of the file, in one locale at a time. */
export function AssetTexts({ asset }: Props) {
  const project = useProject();
  const { slug: projectSlug } = project;
  const locales = localesOf(project);
  const [locale, setLocale] = useState(locales[0] ?? '');
  const query = useQuery(api.media.listLocales.queryOptions({ projectSlug, id: asset.id }));
  const isPicture = asset.mimeType.startsWith('image/');
  return (
    <section aria-labelledby="asset-texts" className="stack">
      <h2 className="group-title" id="asset-texts">
        {t('media.words')}
      </h2>
      <Loaded query={query}>
        {({ data: overlays }) => (
          <>
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
                  {isPicture && !hasAlt(overlays, one) && (
                    <span className="badge changed">{t('media.noAlt')}</span>
                  )}
                </button>
              ))}
            </div>
            <LocaleTexts
              asset={asset}
              key={`${locale} ${overlays.find((one) => one.locale === locale)?.updatedAt ?? ''}`}
              locale={locale}
              overlay={overlays.find((one) => one.locale === locale)}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}
