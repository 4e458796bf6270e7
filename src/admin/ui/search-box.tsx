import { useEffect, useState } from 'react';
import { useDelayed } from './hooks.js';

interface Props {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Reports what was typed when the typing pauses. */
export function SearchBox({ label, value = '', onChange }: Props) {
  const [typed, setTyped] = useState(value);
  const settled = useDelayed(typed);
  useEffect(() => {
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (settled === typed && settled !== value) onChange(settled || undefined);
    // Only what was typed is reported; what the value becomes is shown above.
  }, [settled]);
  return (
    <input
      aria-label={label}
      className="input search"
      onChange={({ target }) => setTyped(target.value)}
      placeholder={label}
      type="search"
      value={typed}
    />
  );
}
