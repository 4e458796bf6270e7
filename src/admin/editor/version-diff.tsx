import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { useProject, type ContentType } from '../api/project-data.js';
import { localeName, t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { Loaded } from '../ui/states.js';
import { fieldLabel } from './field-label.js';
import { ValueView } from './value-view.js';

interface Props {
  readonly id: string;
  readonly from: number;
  readonly type: ContentType;
  readonly onClose: () => void;
}

/** What has changed between a version and the current one. */
export function VersionDiff({ id, from, type, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const query = useQuery(api.entries.diffVersions.queryOptions({ projectSlug, id, from }));
  const nameOf = (field: string): string => fieldLabel(type, field);
  return (
    <Dialog isWide onClose={onClose} title={t('versions.was', { version: from })}>
      <Loaded query={query}>
        {({ data: { changes } }) =>
          changes.length === 0 ? (
            <p>{t('versions.noChange')}</p>
          ) : (
            changes.map(({ field, locale, from: was, to: is }) => (
              <section className="field" key={`${field} ${locale ?? ''}`}>
                <h3>
                  {nameOf(field)} <span className="soft">{locale === null ? '' : localeName(locale)}</span>
                </h3>
                <div className="versus">
                  <div>
                    <p className="small soft">{t('versions.was', { version: from })}</p>
                    <ValueView value={was} />
                  </div>
                  <div>
                    <p className="small soft">{t('versions.is')}</p>
                    <ValueView value={is} />
                  </div>
                </div>
              </section>
            ))
          )
        }
      </Loaded>
    </Dialog>
  );
}
