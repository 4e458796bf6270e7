import type { ReactNode } from 'react';
import { t } from '../texts/index.js';
import type { ControlProps } from './field-editor.js';
import { useFormScope } from './form-scope.js';
import { linkOf, LinkedEntry } from './link-editors.js';

interface Props extends ControlProps {
  readonly tools: ReactNode;
}

/** A link to a block that is an entry of its own, which is edited there and may be used in others. */
export function SharedBlock({ value, tools, label, isReadOnly }: Props) {
  const { actions } = useFormScope();
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
      {link !== undefined && !isReadOnly && actions?.detach !== undefined && (
        <p className="row">
          <button
            aria-label={`${t('block.detach')}: ${label}`}
            className="button"
            onClick={() => actions.detach?.(link._ref)}
            title={t('block.detachHint')}
            type="button"
          >
            {t('block.detach')}
          </button>
        </p>
      )}
    </div>
  );
}
