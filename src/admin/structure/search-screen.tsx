import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { searchBounds } from '../../../contracts/insight/search/search.js';
import { api, client, queryClient, type Outputs } from '../api/client.js';
import { issueText, type Failure } from '../api/failure.js';
import { localesOf, useProject, type ContentType } from '../api/project-data.js';
import { localeName, t } from '../texts/index.js';
import { CallForm } from '../ui/call-form.js';
import { Loaded } from '../ui/states.js';
import { notify } from '../ui/toasts.js';

type Settings = Outputs['search']['settings']['data'];
type Boosts = Readonly<Record<string, number>>;
type Read = (name: string) => string;
type Change = Omit<Parameters<typeof client.search.setSettings.mutate>[0], 'projectSlug'>;

async function saveSettings(projectSlug: string, change: Change): Promise<void> {
  await client.search.setSettings.mutate({ projectSlug, ...change });
  await queryClient.invalidateQueries({ queryKey: api.search.settings.queryKey({ projectSlug }) });
  notify(t('searchSettings.saved'));
}

const synonymsName = (locale: string): string => `synonyms.${locale}`;
const boostName = (name: string): string => `boost.${name}`;

/** A line for each list, with commas between its words. */
const textOf = (lists: readonly (readonly string[])[] = []): string =>
  lists.map((list) => list.join(', ')).join('\n');

/** Lines without words are left out. */
const listsIn = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.split(',').flatMap((word) => word.trim() || []))
    .filter((list) => list.length > 0);

type Issue = Failure['issues'][number];

/** What is wrong with a line, or with one word of it. */
function problemOf({ code, path, message }: Issue): string {
  const isOfWord = path.length > 3;
  const { synonymsPerList: count, synonymCharacters: characters, synonymWords: words } = searchBounds;
  if (code === 'duplicate') return t('searchSettings.repeated');
  if (code === 'invalid') return t('searchSettings.noLetter');
  if (code === 'too_small' && !isOfWord) return t('searchSettings.alone');
  if (code === 'too_big' && isOfWord) return t('searchSettings.tooLong', { characters, words });
  if (code === 'too_big') return t('searchSettings.tooMany', { count });
  return issueText({ code, message });
}

type Lists = Readonly<Record<string, readonly (readonly string[])[]>>;

/** Names the line or word that was refused. */
function refusalText({ issues: [issue] }: Failure, lists: Lists): string | undefined {
  if (issue?.path[0] !== 'synonyms') return undefined;
  const [, locale = '', line = 0, place = ''] = issue.path;
  const list = lists[locale]?.[Number(line)];
  if (list === undefined) return issueText(issue);
  const word = list[Number(place)];
  const shown = place === '' || word === undefined ? list.join(', ') : word;
  return t('searchSettings.refused', {
    locale: localeName(String(locale)),
    word: shown,
    problem: problemOf(issue),
  });
}

function SynonymsForm({ settings }: { readonly settings: Settings }) {
  const project = useProject();
  const locales = localesOf(project);
  const [sent, setSent] = useState<Lists>({});
  const save = async (read: Read): Promise<undefined> => {
    const lists = Object.fromEntries(locales.map((locale) => [locale, listsIn(read(synonymsName(locale)))]));
    setSent(lists);
    await saveSettings(project.slug, { synonyms: { ...settings.synonyms, ...lists } });
  };
  return (
    <CallForm
      failureText={(failure) => refusalText(failure, sent)}
      isNarrow
      onSubmit={save}
      submit={t('searchSettings.saveSynonyms')}
    >
      {locales.map((locale) => (
        <label className="field" key={locale}>
          <span className="label">{localeName(locale)}</span>
          <textarea
            className="input"
            defaultValue={textOf(settings.synonyms[locale])}
            lang={locale}
            name={synonymsName(locale)}
            rows={4}
          />
        </label>
      ))}
    </CallForm>
  );
}

/** Kinds without words, or with those of other entries. */
const wordless: ReadonlySet<string> = new Set(
  'boolean number integer date dateTime location media reference blocks color'.split(' '),
);

const wordFields = ({ fields }: ContentType): ContentType['fields'] =>
  fields.filter(({ type }) => !wordless.has(type));

interface BoostProps {
  readonly name: string;
  readonly label: string;
  readonly value: number | undefined;
}

const Boost = ({ name, label, value = 1 }: BoostProps) => (
  <label className="field">
    <span className="label">{label}</span>
    <input
      className="input"
      defaultValue={value}
      max={10}
      min={0.1}
      name={boostName(name)}
      required
      step={0.1}
      type="number"
    />
  </label>
);

function TypeBoosts({ type, boosts }: { readonly type: ContentType; readonly boosts: Settings['boosts'] }) {
  const { apiName, name } = type;
  return (
    <fieldset className="stack">
      <legend>{name}</legend>
      {!type.isBlock && (
        <Boost label={t('searchSettings.wholeType')} name={apiName} value={boosts.types[apiName]} />
      )}
      {wordFields(type).map((field) => {
        const key = `${apiName}.${field.apiName}`;
        return <Boost key={key} label={field.name} name={key} value={boosts.fields[key]} />;
      })}
    </fieldset>
  );
}

/** What was typed for the names, and the boosts of others, which the form does not show. */
const changed = (before: Boosts, names: readonly string[], read: Read): Record<string, number> => ({
  ...before,
  ...Object.fromEntries(names.map((name) => [name, Number(read(boostName(name)))])),
});

function BoostsForm({ settings }: { readonly settings: Settings }) {
  const { slug: projectSlug, types } = useProject();
  const save = async (read: Read): Promise<undefined> => {
    const names = types.filter(({ isBlock }) => !isBlock).map(({ apiName }) => apiName);
    const fieldNames = types.flatMap((type) =>
      wordFields(type).map(({ apiName }) => `${type.apiName}.${apiName}`),
    );
    const { boosts } = settings;
    await saveSettings(projectSlug, {
      boosts: { types: changed(boosts.types, names, read), fields: changed(boosts.fields, fieldNames, read) },
    });
  };
  return (
    <CallForm isNarrow onSubmit={save} submit={t('searchSettings.saveBoosts')}>
      {types.map((type) => (
        <TypeBoosts boosts={settings.boosts} key={type.apiName} type={type} />
      ))}
    </CallForm>
  );
}

export function SearchScreen() {
  const { slug: projectSlug } = useProject();
  const query = useQuery({
    ...api.search.settings.queryOptions({ projectSlug }),
    // What is being typed stays.
    refetchOnWindowFocus: false,
  });
  return (
    <>
      <header className="screen-head">
        <h1>{t('searchSettings.title')}</h1>
      </header>
      <Loaded query={query}>
        {({ data }) => (
          <>
            <section aria-labelledby="search-synonyms" className="screen-part stack">
              <h2 id="search-synonyms">{t('searchSettings.synonyms')}</h2>
              <p className="soft">{t('searchSettings.synonymsHint')}</p>
              <SynonymsForm settings={data} />
            </section>
            <section aria-labelledby="search-boosts" className="screen-part stack">
              <h2 id="search-boosts">{t('searchSettings.boosts')}</h2>
              <p className="soft">{t('searchSettings.boostsHint')}</p>
              <BoostsForm settings={data} />
            </section>
          </>
        )}
      </Loaded>
    </>
  );
}
