import { useMemo, useState } from 'react';
import { api, client, queryClient } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { projectQuery, useProject, type ContentType, type Entry } from '../../api/project-data.js';
import { useMessageOf } from '../../fields/issue-text.js';
import { t } from '../../texts/index.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { sentValues } from '../sent-fields.js';
import { draftOf, isChanged, type Content, type Draft } from '../draft.js';
import type { EntryPlace } from '../place.js';
import { openProblems, refusalOf, type Problems, type Refusal } from '../problems.js';

interface NewEntry {
  readonly draft: Draft;
  readonly problems: Problems;
  /** Refusals so far: the first field that is wrong gets the focus with each. */
  readonly refusalCount: number;
  readonly isBusy: boolean;
  readonly isDirty: boolean;
  change(change: (draft: Draft) => Draft): void;
  /** Undefined if it was refused, which is shown at the fields, or as a notice if no field is wrong. */
  create(parentId?: string): Promise<Entry | undefined>;
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
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const [refusalCount, setRefusalCount] = useState(0);
  const problems = useMemo(() => openProblems(refusals, draft.now), [refusals, draft.now]);
  const messageOf = useMessageOf();
  const [isBusy, setIsBusy] = useState(false);
  const create: NewEntry['create'] = async (parentId) => {
    setIsBusy(true);
    try {
      const { slug, fields: values } = draft.now;
      const fields = sentValues(project, type, values);
      const { data } = await client.entries.create.mutate({
        projectSlug: project.slug,
        contentTypeApiName: type.apiName,
        siteId,
        fields,
        ...(type.isLocalized && { locale }),
        ...(slug !== '' && { slug }),
        ...(parentId !== undefined && { treeParentId: parentId }),
      });
      notify(t('entry.saved'));
      void queryClient.invalidateQueries({ queryKey: api.entries.list.pathKey() });
      void queryClient.invalidateQueries(projectQuery(project.slug, project.environment));
      return data;
    } catch (error) {
      const refusal = refusalOf(failureOf(error).issues, draft.now, messageOf);
      setRefusals([refusal]);
      setRefusalCount((count) => count + 1);
      if (refusal.problems.size === 0) notifyFailure(error);
      setIsBusy(false);
      return undefined;
    }
  };
  return { draft, problems, refusalCount, isBusy, isDirty: isChanged(draft), change: setDraft, create };
}
