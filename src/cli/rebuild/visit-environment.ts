import { CatalogRepository, type EnvironmentHead } from '../../features/environments/catalog/index.js';
import { systemScope, addressOf, type WorkScope } from '../../persistence/work/unit-of-work.js';
import type { Composition } from '../../process/compose.js';
import {
  DocumentCheckRepository,
  FallbackRepository,
  FilterCheckRepository,
  FilterIndexer,
  FilterIndexRepository,
  PublishedBodyRepository,
} from '../../features/publishing/delivery/index.js';
import {
  LinkCheckRepository,
  MarkCheckRepository,
  OwnedBlockCheckRepository,
  StateCheckRepository,
} from '../../features/entries/entries/index.js';
import { MediaListCheckRepository } from '../../features/media/media/index.js';
import {
  checkIndex,
  DatabaseSearchIndex,
  Lexicon,
  type SearchIndex,
} from '../../features/insight/search/index.js';
import { ActivityCheckRepository, checkHealth, rebuildHealth } from '../../features/insight/reports/index.js';
import { TranslationCheckRepository } from '../../features/editorial/translations/index.js';
import { EntryTreeRepository, RouteCheckRepository } from '../../features/routing/tree/index.js';

/** Differences shown per environment. */
const SHOWN = 20;

export interface Visit {
  readonly isOk: boolean;
  readonly lines: readonly string[];
}

type Units = Composition['services']['units'];

const nameOf = ({ projectSlug, environmentSlug }: EnvironmentHead): string =>
  `${projectSlug}/${environmentSlug}`;

const scopeOf = (head: EnvironmentHead): WorkScope =>
  systemScope({ command: 'rebuild', address: addressOf(head) });

/** Compares the read model of an environment with its write model, in one snapshot. */
export async function checkEnvironment(
  units: Units,
  head: EnvironmentHead,
  index: Pick<SearchIndex, 'hashes'> = new DatabaseSearchIndex(new Lexicon()),
): Promise<Visit> {
  const request = { scope: scopeOf(head), isReadOnly: true, lock: 'none' } as const;
  return units.run(request, async (work) => {
    const catalog = await work.use(CatalogRepository).current();
    const routes = await work.use(RouteCheckRepository).differences(SHOWN);
    const documents = await work.use(DocumentCheckRepository).check(catalog, SHOWN);
    const fallbacks = await work.use(FallbackRepository).differences(SHOWN);
    const filters = await work.use(FilterCheckRepository).differences(catalog, SHOWN);
    const links = await work.use(LinkCheckRepository).differences(catalog, SHOWN);
    const blocks = await work.use(OwnedBlockCheckRepository).differences(SHOWN);
    const marks = await work.use(MarkCheckRepository).differences(SHOWN);
    const states = await work.use(StateCheckRepository).differences(catalog, SHOWN);
    const translations = await work.use(TranslationCheckRepository).differences(SHOWN);
    const assets = await work.use(MediaListCheckRepository).differences(SHOWN);
    const indexed = await checkIndex(work, { catalog, index }, SHOWN);
    const activity = await work.use(ActivityCheckRepository).differences(SHOWN);
    const issues = await checkHealth(work, SHOWN);
    const { checked, older } = documents;
    const found = [
      ...routes.map(
        ({ locale, entryId, expected, actual }) =>
          `  route ${locale} of ${entryId ?? 'a folder'}: ${actual ?? 'none'}, should be ${expected ?? 'none'}`,
      ),
      ...documents.differences.map(
        ({ locale, entryId, problem }) => `  document ${locale} of ${entryId}: ${problem}`,
      ),
      ...links.map(({ entryId, problem }) => `  link of ${entryId}: ${problem}`),
      ...[
        ...blocks,
        ...marks,
        ...states,
        ...translations,
        ...assets,
        ...activity,
        ...issues,
        ...filters,
        ...fallbacks,
        ...indexed,
      ].map(({ of, problem }) => `  ${of}: ${problem}`),
    ];
    const verdict = found.length === 0 ? 'no differences' : `${String(found.length)} differences`;
    const compared = `${String(checked)} documents compared, ${String(older)} of them with newer drafts.`;
    return { isOk: found.length === 0, lines: [...found, `${nameOf(head)}: ${verdict}; ${compared}`] };
  });
}

/** Rebuilds what is derived from content and assets while writers are locked out. */
export async function rebuildEnvironment(units: Units, head: EnvironmentHead): Promise<Visit> {
  const request = { scope: scopeOf(head), isReadOnly: false, lock: 'schema' } as const;
  await units.run(request, async (work) => {
    const catalog = await work.use(CatalogRepository).current();
    await work.use(FilterIndexRepository).repair();
    for (const site of catalog.data.sites) await work.use(EntryTreeRepository).refreshSite(site.id);
    await work.use(OwnedBlockCheckRepository).repair();
    await work.use(StateCheckRepository).repair(catalog);
    await work.use(TranslationCheckRepository).repair();
    await work.use(MarkCheckRepository).recount();
    await work.use(FallbackRepository).repair();
    await work.use(PublishedBodyRepository).repair(catalog);
    await work.use(MediaListCheckRepository).repair();
    await work.use(ActivityCheckRepository).repair();
    await rebuildHealth(work);
  });
  await new FilterIndexer(units).run();
  return {
    isOk: true,
    lines: [
      `${nameOf(head)}: routes, owners of blocks, workflow states, translations, JSON of documents, lists of assets, counters, issues and the index of delivery filters rebuilt.`,
    ],
  };
}
