import type { ReactNode } from 'react';
import { t } from '../texts/index.js';
import { linkOf, LinkedEntry } from './link-editors.js';

interface Props {
  readonly value: unknown;
  readonly tools: ReactNode;
}

/** A link to a block that is an entry of its own, which is edited there and may be used in others. */
export function SharedBlock({ value, tools }: Props) {
  const link = linkOf(value);
  return (
    <div className="block">
      <div className="row">
        <span className="badge">{t('block.shared')}</span>
        {link === undefined ? (
          <span className="soft grow">{t('field.missing')}</span>
        ) : (
          <LinkedEntry link={link} />
        )}
        {tools}
      </div>
      <p className="hint">{t('block.sharedHint')}</p>
    </div>
  );
}
