import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { failureOf } from '../api/failure.js';
import { t } from '../texts/index.js';
import { Empty } from '../ui/states.js';

export function NotFound() {
  return (
    <main>
      <Empty title={t('app.notFound')}>
        <Link className="button" to="/">
          {t('app.home')}
        </Link>
      </Empty>
    </main>
  );
}

/** A fault of the app itself: the rest of it still works. */
export function Broken({ error, reset }: ErrorComponentProps) {
  return (
    <main>
      <Empty hint={failureOf(error).message} title={t('app.broken')}>
        <button className="button" onClick={reset} type="button">
          {t('app.retry')}
        </button>
      </Empty>
    </main>
  );
}
