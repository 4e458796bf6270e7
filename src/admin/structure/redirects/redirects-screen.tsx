import { redirects } from '../../../../contracts/routing/redirects/redirects.contract.js';
import { type Outputs, client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { OptionSelect } from '../../fields/choice-editors.js';
import type { PropertyControlProps } from '../../resources/control-props.js';
import { deletion, resourceOf } from '../../resources/resource-config.js';
import { ResourceScreen } from '../../resources/resource-screen.js';
import { t, formatNumber } from '../../texts/index.js';
import { LocaleChoice } from '../locale-table.js';
import { useState, useId } from 'react';
import { download } from '../../ui/download.js';
import { notifyFailure } from '../../ui/toasts.js';
import { issueText } from '../../api/failure.js';
import { refreshAfter } from '../../resources/use-operation.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { useCall } from '../../api/use-call.js';

const marks: Readonly<Record<string, string>> = { '255,254': 'utf-16le', '254,255': 'utf-16be' };

/** The content of a text file: UTF-16 if it has the byte order mark, else UTF-8. */
async function readText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return new TextDecoder(marks[String(bytes.subarray(0, 2))] ?? 'utf-8').decode(bytes);
}

type Report = Outputs['redirects']['import']['data'];
type LineIssue = Report['errors'][number];

const modes = ['upsert', 'create', 'replace'] as const;
type Mode = (typeof modes)[number];
const counts = ['total', 'created', 'updated', 'skipped', 'deleted', 'failed'] as const;

const columns = (): Column<LineIssue>[] => [
  { key: 'line', label: t('redirects.line'), cell: ({ line }) => formatNumber(line), isNumber: true },
  { key: 'message', label: t('redirects.problem'), cell: issueText },
];

/** Counts and, line by line, what was refused. */
function Outcome({ report }: { readonly report: Report }) {
  return (
    <section aria-labelledby="outcome-title" aria-live="polite" className="stack">
      <h3 id="outcome-title">{t(report.dryRun ? 'redirects.checked' : 'redirects.imported')}</h3>
      <p>{counts.map((key) => `${t(`redirects.count.${key}`)}: ${formatNumber(report[key])}`).join(' · ')}</p>
      {report.errors.length > 0 && (
        <DataTable
          columns={columns()}
          keyOf={({ line, code }, index) => `${line} ${code} ${index}`}
          label={t('redirects.problems')}
          rows={report.errors}
        />
      )}
    </section>
  );
}

interface SelectionProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

function Selection({ label, value, options, onChange }: SelectionProps) {
  return (
    <label className="field grow">
      <span className="label">{label}</span>
      <select className="select" onChange={({ target }) => onChange(target.value)} value={value}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A file is checked first; the same file can then be imported. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { slug: projectSlug, sites } = useProject();
  const id = useId();
  const [csv, setCsv] = useState<string>();
  const [mode, setMode] = useState<Mode>('upsert');
  const [siteId, setSiteId] = useState(sites[0]?.id);
  const [report, setReport] = useState<Report>();
  const { isBusy, failure, run } = useCall();
  const send = (dryRun: boolean): Promise<void> =>
    run(async () => {
      const input = { projectSlug, csv: csv ?? '', mode, dryRun, ...(siteId !== undefined && { siteId }) };
      setReport((await client.redirects.import.mutate(input)).data);
      if (!dryRun) await refreshAfter('redirects.import');
    });
  const isChecked = report?.dryRun === true;
  return (
    <Dialog isWide onClose={onClose} title={t('redirects.import')}>
      <div className="field">
        <label className="label" htmlFor={`${id}-file`}>
          {t('redirects.file')}
        </label>
        <input
          accept=".csv,text/csv,application/vnd.ms-excel"
          id={`${id}-file`}
          onChange={({ target }) => {
            setReport(undefined);
            const [file] = target.files ?? [];
            if (file !== undefined) void readText(file).then(setCsv);
          }}
          type="file"
        />
        <p className="hint">{t('redirects.fileHint')}</p>
      </div>
      <div className="row">
        <Selection
          label={t('redirects.mode')}
          onChange={(value) => {
            setReport(undefined);
            setMode(value as Mode);
          }}
          options={modes.map((one) => ({ value: one, label: t(`redirects.mode.${one}`) }))}
          value={mode}
        />
        <Selection
          label={t('redirects.defaultSite')}
          onChange={(value) => {
            setReport(undefined);
            setSiteId(value);
          }}
          options={sites.map((site) => ({ value: site.id, label: site.name }))}
          value={siteId}
        />
      </div>
      {failure !== undefined && (
        <p className="problem" role="alert">
          {failure.problem}
        </p>
      )}
      {report !== undefined && <Outcome report={report} />}
      <DialogFooter
        disabled={isBusy || !isChecked}
        isDangerous={mode === 'replace'}
        onRun={() => send(false)}
        run={t('redirects.importNow')}
      >
        <button
          className="button"
          disabled={isBusy || csv === undefined}
          onClick={() => void send(true)}
          type="button"
        >
          {t('redirects.check')}
        </button>
      </DialogFooter>
    </Dialog>
  );
}

/** Import and export of redirects as CSV. */
function RedirectFiles() {
  const { slug: projectSlug, may } = useProject();
  const [isImporting, setIsImporting] = useState(false);
  const save = async (): Promise<void> => {
    try {
      const { data } = await client.redirects.export.query({ projectSlug });
      download(data.fileName, 'text/csv', data.csv);
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <div className="filters row">
      {may('redirects.import') && (
        <button className="button" onClick={() => setIsImporting(true)} type="button">
          {t('redirects.import')}
        </button>
      )}
      <button className="button" onClick={() => void save()} type="button">
        {t('redirects.export')}
      </button>
      {isImporting && <ImportDialog onClose={() => setIsImporting(false)} />}
    </div>
  );
}

type Redirect = Outputs['redirects']['get']['data'];

function SiteChoice(props: PropertyControlProps) {
  const { sites } = useProject();
  const options = sites.map(({ id, name }) => ({ value: id, label: name }));
  return <OptionSelect {...props} options={options} />;
}

function SiteName({ id }: { readonly id: string }) {
  return useProject().sites.find((site) => site.id === id)?.name ?? id;
}

const resource = resourceOf<Redirect>({
  name: 'redirects',
  contracts: redirects,
  title: 'redirects.title',
  createLabel: 'redirects.create',
  nameOf: ({ source }) => source,
  columns: ['source', 'target', 'status', 'siteId', 'locale', 'matchType', 'isActive', 'origin', 'hitCount'],
  cells: { siteId: ({ siteId }) => <SiteName id={siteId} />, status: ({ status }) => status },
  filters: ['siteId', 'isActive', 'origin'],
  filterOptions: { siteId: ({ sites }) => sites.map(({ id, name }) => ({ value: id, label: name })) },
  form: {
    order: ['siteId', 'source', 'target', 'status', 'matchType', 'queryMatch', 'locale', 'isActive', 'note'],
    editors: { siteId: SiteChoice, locale: LocaleChoice },
    start: { status: 301, matchType: 'exact', queryMatch: 'ignore', isActive: true },
  },
  facts: ['siteId', 'origin', 'hitCount', 'lastHitAt', 'updatedAt'],
  actions: [deletion()],
});

export const RedirectsScreen = () => (
  <ResourceScreen resource={resource}>
    <RedirectFiles />
  </ResourceScreen>
);
