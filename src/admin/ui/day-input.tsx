import { useId } from 'react';

interface Props {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

/** A day such as `2027-01-31` in a row of filters. */
export function DayInput({ label, value, onChange }: Props) {
  const id = useId();
  return (
    <span className="row tight">
      <label className="small soft" htmlFor={id}>
        {label}
      </label>
      <input
        className="input date"
        id={id}
        onChange={({ target }) => onChange(target.value || undefined)}
        type="date"
        value={value ?? ''}
      />
    </span>
  );
}
