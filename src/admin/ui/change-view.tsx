import { t } from '../texts/index.js';
import { textOf } from './value-text.js';
import { partsOf, type Change, type Part } from './changes.js';

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

interface Props {
  readonly change: Change;
  /** Of a value, and of the one that it is compared with. */
  readonly text?: (value: unknown, other: unknown) => string;
}

/** One change, with what differs marked on both sides. */
export function ChangeView({ change, text = textOf }: Props) {
  const { path, from, to } = change;
  const parts = partsOf(text(from, to), text(to, from));
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
