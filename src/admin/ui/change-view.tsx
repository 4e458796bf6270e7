import { t } from '../texts/index.js';
import { partsOf, type Change, type Part } from './changes.js';
import { textOf } from './value-text.js';

interface SideProps {
  readonly label: string;
  readonly part: Part;
  readonly isBefore: boolean;
}

function Side({ label, part: { start, changed, end }, isBefore }: SideProps) {
  return (
    <div>
      <p className="small soft">{label}</p>
      <pre className="value">
        {start}
        {isBefore ? <del>{changed}</del> : <ins>{changed}</ins>}
        {end}
      </pre>
    </div>
  );
}

/** One change, with what differs marked on both sides. */
export function ChangeView({ change }: { readonly change: Change }) {
  const { path, from, to } = change;
  const parts = partsOf(textOf(from), textOf(to));
  return (
    <section className="field">
      <h3 className="code">{path.join(' › ')}</h3>
      <div className="versus">
        <Side isBefore label={t('changes.before')} part={parts.from} />
        <Side isBefore={false} label={t('changes.after')} part={parts.to} />
      </div>
    </section>
  );
}
