import { t } from '../texts/index.js';
import type { Status } from './list-search.js';

export function StatusBadge({ status }: { readonly status: Status }) {
  return <span className={`badge ${status}`}>{t(`status.${status}`)}</span>;
}
