import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  DetectorName,
  IssueSeverity,
  IssueStatus,
} from '../../../../contracts/insight/governance/governance.js';
import { client, type Outputs } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import type { GovernanceSearch } from '../../routes/searches.js';

export type Issue = Outputs['governance']['listIssues']['data'][number];

const PAGE = 25;

/** An address can name values that there are not. */
const known = <T extends string>(options: readonly T[], value: string | undefined): T[] | undefined => {
  const found = options.filter((option) => option === value);
  return found.length === 0 ? undefined : found;
};

/** One page of the issues that the filters keep. */
export function useIssues({ status, severity, detector, page = 1 }: GovernanceSearch) {
  const { slug: projectSlug } = useProject();
  const input = {
    projectSlug,
    page,
    limit: PAGE,
    status: known(IssueStatus.options, status),
    severity: known(IssueSeverity.options, severity),
    detector: known(DetectorName.options, detector),
  };
  return useQuery({
    queryKey: ['governance', 'issues', input],
    queryFn: () => client.governance.listIssues.query(input),
    placeholderData: keepPreviousData,
  });
}
