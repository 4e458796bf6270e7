import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { DetectorName, IssueSeverity, IssueStatus } from '../../../../contracts/resources/governance.js';
import { t } from '../../texts/index.js';
import { Choice } from '../../ui/choice.js';
import { PageSwitch } from '../../ui/page-switch.js';
import { Empty, Loaded } from '../../ui/states.js';
import { AnalysisHead } from './analysis-head.js';
import type { GovernanceSearch } from './governance-search.js';
import { IssueDialog } from './issue-dialog.js';
import { IssueTable } from './issue-table.js';
import { useIssues, type Issue } from './use-issues.js';

interface FilterProps {
  readonly search: GovernanceSearch;
  readonly onChange: (search: GovernanceSearch) => void;
}

function Filters({ search: { status, severity, detector }, onChange }: FilterProps) {
  const search = { status, severity, detector };
  return (
    <div className="filters row">
      <Choice
        label={t('list.status')}
        onChange={(value) => onChange({ ...search, status: value })}
        value={status}
      >
        {IssueStatus.options.map((one) => (
          <option key={one} value={one}>
            {t(`governance.status.${one}`)}
          </option>
        ))}
      </Choice>
      <Choice
        label={t('governance.severity')}
        onChange={(value) => onChange({ ...search, severity: value })}
        value={severity}
      >
        {IssueSeverity.options.map((one) => (
          <option key={one} value={one}>
            {t(`severity.${one}`)}
          </option>
        ))}
      </Choice>
      <Choice
        label={t('governance.detector')}
        onChange={(value) => onChange({ ...search, detector: value })}
        value={detector}
      >
        {DetectorName.options.map((one) => (
          <option key={one} value={one}>
            {t(`detector.${one}`)}
          </option>
        ))}
      </Choice>
    </div>
  );
}

/** What the detectors found, with its evidence and life cycle. */
export function GovernanceScreen() {
  const search = useSearch({ from: '/$project/$environment/governance' });
  const navigate = useNavigate({ from: '/$project/$environment/governance' });
  const [opened, setOpened] = useState<Issue>();
  const issues = useIssues(search);
  const change = (next: GovernanceSearch): void => void navigate({ search: next, replace: true });
  return (
    <>
      <AnalysisHead />
      <Filters onChange={change} search={search} />
      <Loaded query={issues}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty hint={t('governance.emptyHint')} title={t('governance.empty')} />
          ) : (
            <>
              <IssueTable onOpen={setOpened} rows={data} />
              <PageSwitch
                onPage={(page) => void navigate({ search: { ...search, page } })}
                page={meta.page}
                pages={meta.pages}
                total={meta.total}
              />
            </>
          )
        }
      </Loaded>
      {opened !== undefined && <IssueDialog issue={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
