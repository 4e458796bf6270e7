import { useState } from 'react';
import { api, client, queryClient } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { projectQuery, useProject, type ContentType, type Entry } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { sentValues } from '../sent-fields.js';
import { draftOf, isChanged, type Content, type Draft } from '../draft.js';
import type { EntryPlace } from '../place.js';
import { noProblems, problemsOf, type Problems } from '../problems.js';

interface NewEntry {
  readonly draft: Draft;
  readonly problems: Problems;
  readonly isBusy: boolean;
  readonly isDirty: boolean;
  change(change: (draft: Draft) => Draft): void;
  /** Undefined if it was refused, which is shown at the fields and as a notice. */
  create(): Promise<Entry | undefined>;
}

/** Fields begin with their default values, as they do in the service. */
const blank = ({ fields }: ContentType): Content => ({
  slug: '',
  fields: Object.fromEntries(
    fields.flatMap(({ apiName, defaultValue }) => (defaultValue === null ? [] : [[apiName, defaultValue]])),
  ),
});

/** An entry that is typed and then created as a draft. */
export function useNewEntry(type: ContentType, { siteId, locale }: EntryPlace): NewEntry {
  const project = useProject();
  const [draft, setDraft] = useState(() => draftOf(blank(type)));
  const [problems, setProblems] = useState<Problems>(noProblems);
  const [isBusy, setIsBusy] = useState(false);
  const create = async (): Promise<Entry | undefined> => {
    setIsBusy(true);
    try {
      const { slug, fields: values } = draft.now;
      const fields = sentValues(project, type, values);
      const { data } = await client.entries.create.mutate({
        ...{ projectSlug: project.slug, contentTypeApiName: type.apiName, siteId, fields },
        ...(type.isLocalized && { locale }),
        ...(slug !== '' && { slug }),
      });
      notify(t('entry.saved'));
      void queryClient.invalidateQueries({ queryKey: api.entries.list.pathKey() });
      void queryClient.invalidateQueries(projectQuery(project.slug, project.environment));
      return data;
    } catch (error) {
      setProblems(problemsOf(failureOf(error).issues, draft.now.fields));
      notifyFailure(error);
      setIsBusy(false);
      return undefined;
    }
  };
  return { draft, problems, isBusy, isDirty: isChanged(draft), change: setDraft, create };
}
