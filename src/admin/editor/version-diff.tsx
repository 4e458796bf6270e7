import { useQuery } from '@tanstack/react-query';
import { api, type Outputs } from '../api/client.js';
import { useProject, type ContentType, type Entry } from '../api/project-data.js';
import { localeName, t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { Loaded } from '../ui/states.js';
import { pathText } from './path-text.js';
import type { Values } from './draft.js';
import { ValueView } from './value-view.js';

interface Props {
  readonly entry: Entry;
  readonly from: number;
  readonly type: ContentType;
  readonly onClose: () => void;
}

type Changes = Outputs['entries']['diffVersions']['data']['changes'];

/** Lists as they were, which have the blocks that were removed since. */
const formerLists = (changes: Changes): Values[] => changes.map(({ field, from }) => ({ [field]: from }));

/** What has changed between a version and the current one. */
export function VersionDiff({ entry: { id, fields }, from, type, onClose }: Props) {
  const project = useProject();
  const { slug: projectSlug } = project;
  const query = useQuery(api.entries.diffVersions.queryOptions({ projectSlug, id, from }));
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
                  {pathText({ project, type, known: [fields, ...formerLists(changes)] }, field)}{' '}
                  <span className="soft">{locale === null ? '' : localeName(locale)}</span>
                </h3>
                <div className="versus">
                  <div>
                    <p className="small soft">{t('versions.was', { version: from })}</p>
                    <ValueView other={is} value={was} />
                  </div>
                  <div>
                    <p className="small soft">{t('versions.is')}</p>
                    <ValueView other={was} value={is} />
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
