import { useState } from 'react';
import { useProject } from '../../api/project-data.js';
import { formatNumber, t } from '../../texts/index.js';
import { ActionButton } from '../../ui/action-button.js';
import { verifyChain, type AuditCheck } from './audit-queries.js';

function resultOf({ ok, records, unsealed, firstBrokenBlock, problem }: AuditCheck): string {
  const counts = { records: formatNumber(records), unsealed: formatNumber(unsealed) };
  if (ok) return t('audit.intact', counts);
  const reason = problem === null ? '' : t(`audit.problem.${problem}`);
  return t('audit.broken', { block: firstBrokenBlock ?? '?', reason });
}

/** Checks that no record was changed, removed or inserted. */
export function VerifyChain() {
  const { slug } = useProject();
  const [check, setCheck] = useState<AuditCheck>();
  const verify = async (): Promise<void> => setCheck(await verifyChain(slug));
  return (
    <>
      <span aria-live="polite" className={check?.ok === false ? 'problem' : 'small soft'}>
        {check && resultOf(check)}
      </span>
      <ActionButton label={t('audit.verify')} run={verify} />
    </>
  );
}
