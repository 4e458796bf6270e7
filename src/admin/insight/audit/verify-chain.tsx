import { useState } from 'react';
import { useProject } from '../../api/project-data.js';
import { formatNumber, t } from '../../texts/index.js';
import { notifyFailure } from '../../ui/toasts.js';
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
  const [isBusy, setIsBusy] = useState(false);
  const [check, setCheck] = useState<AuditCheck>();
  const verify = async (): Promise<void> => {
    setIsBusy(true);
    try {
      setCheck(await verifyChain(slug));
    } catch (error) {
      notifyFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <span aria-live="polite" className={check?.ok === false ? 'problem' : 'small soft'}>
        {check && resultOf(check)}
      </span>
      <button className="button" disabled={isBusy} onClick={() => void verify()} type="button">
        {t('audit.verify')}
      </button>
    </>
  );
}
