import type { ReactNode } from 'react';

interface Props {
  readonly label: string;
  readonly isOn?: boolean;
  readonly isOff?: boolean;
  readonly onUse: () => void;
  readonly children: ReactNode;
}

export function ToolButton({ label, isOn, isOff = false, onUse, children }: Props) {
  return (
    <button
      aria-label={label}
      aria-pressed={isOn}
      className="button icon plain"
      disabled={isOff}
      onClick={onUse}
      title={label}
      type="button"
    >
      {children}
    </button>
  );
}
