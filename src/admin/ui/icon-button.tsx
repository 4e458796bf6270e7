import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icon.js';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  readonly label: string;
}

export function IconButton({ icon, label, className = '', ...rest }: Props) {
  return (
    <button
      aria-label={label}
      className={`button icon plain ${className}`}
      title={label}
      type="button"
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}
