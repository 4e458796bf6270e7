import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  importSystems,
  type ImportJob,
  type ImportSystem,
  importLimits,
} from '../../../../contracts/editorial/imports/import-job.js';
import { authorizedFetch } from '../../api/authorized-fetch.js';
import { failureOf, RestFailure } from '../../api/failure.js';
import { apiOrigin } from '../../api/origin.js';
import { useProject } from '../../api/project-data.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { say } from './import-texts.js';

/** What the end of a name says about the system. */
const systemsByEnd: readonly (readonly [end: RegExp, system: ImportSystem])[] = [
  [/\.csv$/i, 'csv'],
  [/\.jsonl$/i, 'jsonl'],
  [/\.zip$/i, 'markdown'],
  [/\.ndjson$/i, 'sanity'],
  [/\.(?:tar|tar\.gz|tgz)$/i, 'strapi'],
  [/\.xml$/i, 'wordpress'],
  [/\.json$/i, 'contentful'],
];

const systemOf = (name: string): ImportSystem | undefined =>
  systemsByEnd.find(([end]) => end.test(name))?.[1];

const isTable = (system: ImportSystem | undefined): boolean => system === 'csv' || system === 'jsonl';

interface Place {
  readonly projectSlug: string;
  readonly environment: string;
}

/** REST streams the file, however large it is. @throws RestFailure */
async function send({ projectSlug, environment }: Place, form: FormData): Promise<ImportJob> {
  const response = await authorizedFetch(`${apiOrigin}/api/v1/projects/${projectSlug}/imports`, {
    method: 'POST',
    headers: { 'X-Environment': environment },
    body: form,
  });
  const body: unknown = await response.json();
  if (!response.ok) throw new RestFailure(body as RestFailure['data']);
  return (body as { readonly data: ImportJob }).data;
}

/** The parts in their order: the file is the last one. */
function formOf(given: FormData, file: File): FormData {
  const form = new FormData();
  for (const name of ['system', 'siteSlug', 'contentTypeApiName']) {
    const value = given.get(name);
    if (typeof value === 'string' && value !== '') form.append(name, value);
  }
  form.append('dryRun', 'true');
  form.append('file', file);
  return form;
}

/** A content type of the project, or one that is made. */
function TypeField() {
  const { types } = useProject();
  return (
    <label className="field">
      <span className="label">{say('type')}</span>
      <input className="input" list="import-types" name="contentTypeApiName" required />
      <span className="hint">{say('typeHint')}</span>
      <datalist id="import-types">
        {types.map(({ apiName, name }) => (
          <option key={apiName} value={apiName}>
            {name}
          </option>
        ))}
      </datalist>
    </label>
  );
}

/** Asks for a file, and has it checked. */
export function StartImport({ onClose }: { readonly onClose: () => void }) {
  const { slug: projectSlug, environment, sites } = useProject();
  const navigate = useNavigate();
  const [system, setSystem] = useState<ImportSystem>();
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  const start = async (given: FormData): Promise<void> => {
    const file = given.get('file') as File;
    if (file.size > importLimits.importFileBytes) return setRefusal(say('tooLarge'));
    setIsBusy(true);
    try {
      const { jobId } = await send({ projectSlug, environment }, formOf(given, file));
      void navigate({
        to: '/$project/$environment/imports/$job',
        params: { project: projectSlug, environment, job: jobId },
      });
    } catch (error) {
      setRefusal(failureOf(error).problem);
      setIsBusy(false);
    }
  };
  return (
    <Dialog onClose={onClose} title={say('start')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void start(new FormData(event.currentTarget));
        }}
      >
        <label className="field">
          <span className="label">{say('file')}</span>
          <input
            className="input"
            name="file"
            onChange={({ target }) => setSystem(systemOf(target.files?.[0]?.name ?? '') ?? system)}
            required
            type="file"
          />
        </label>
        <label className="field">
          <span className="label">{say('system')}</span>
          <select
            className="select"
            name="system"
            onChange={({ target }) => setSystem(target.value as ImportSystem)}
            required
            value={system ?? ''}
          >
            <option disabled value="">
              –
            </option>
            {importSystems.map((one) => (
              <option key={one} value={one}>
                {say(`system.${one}`)}
              </option>
            ))}
          </select>
        </label>
        {isTable(system) && <TypeField />}
        <label className="field">
          <span className="label">{say('site')}</span>
          <select className="select" name="siteSlug">
            {sites.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <DialogFooter disabled={isBusy} onCancel={onClose} refusal={refusal} run={say('check')} />
      </form>
    </Dialog>
  );
}
