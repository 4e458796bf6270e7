import { formatNumber, t } from '../texts/index.js';

interface Props {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

/** For lists that are read by page number. */
export function PageSwitch({ page, pages, total, onPage }: Props) {
  return (
    <div className="page-switch row">
      <span aria-live="polite" className="soft small grow">
        {t('pages.place', {
          page: formatNumber(page),
          pages: formatNumber(Math.max(1, pages)),
          total: formatNumber(total),
        })}
      </span>
      <button className="button" disabled={page <= 1} onClick={() => onPage(page - 1)} type="button">
        {t('pages.previous')}
      </button>
      <button className="button" disabled={page >= pages} onClick={() => onPage(page + 1)} type="button">
        {t('pages.next')}
      </button>
    </div>
  );
}
