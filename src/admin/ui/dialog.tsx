import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { t } from '../texts/index.js';
import { IconButton } from './icon-button.js';

interface Props {
  readonly title: string;
  readonly isWide?: boolean;
  /** Absent: it cannot be dismissed. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

const firstControl = '[data-focus], .body :is(input, select, textarea):not(:read-only, :disabled)';

/** Modal while it is rendered. The browser keeps the focus inside and gives it back afterwards. */
export function Dialog({ title, isWide = false, onClose, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // A dialog that is closed after it was removed does not give the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // The browser would focus the first control, which closes the dialog.
    dialog?.querySelector<HTMLElement>(firstControl)?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      aria-labelledby={titleId}
      className={isWide ? 'dialog wide' : 'dialog'}
      dir="ltr"
      // In React, events of a dialog inside this one arrive here as well.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose?.();
      }}
      // Pressing Escape repeatedly closes any dialog; one that stays is opened again.
      onClose={(event) => {
        if (event.target !== event.currentTarget || ref.current?.open === true) return;
        onClose?.();
        setTimeout(() => {
          if (ref.current?.open === false) ref.current.showModal();
        });
      }}
      ref={ref}
    >
      <div className="head">
        <h2 id={titleId}>{title}</h2>
        {onClose && <IconButton icon="close" label={t('app.close')} onClick={onClose} />}
      </div>
      <div className="body">{children}</div>
    </dialog>
  );
}

interface FooterProps {
  readonly run: string;
  /** Absent: the form around it is submitted. */
  readonly onRun?: (() => unknown) | undefined;
  readonly onCancel?: (() => void) | undefined;
  readonly isDangerous?: boolean;
  /** Where a dialog has no field that comes first. Of what is dangerous, "Cancel" has the focus. */
  readonly isFocused?: boolean;
  readonly disabled?: boolean;
  /** Why it was not done. */
  readonly refusal?: string | undefined;
  /** Other buttons. */
  readonly children?: ReactNode;
}

/** The end of every dialog: why it was refused, and the buttons. */
export function DialogFooter(props: FooterProps) {
  const {
    run,
    onRun,
    onCancel,
    isDangerous = false,
    isFocused = false,
    disabled = false,
    refusal = '',
  } = props;
  return (
    <>
      {refusal !== '' && (
        <p className="problem" role="alert">
          {refusal}
        </p>
      )}
      <div className="actions">
        {onCancel && (
          <button
            className="button"
            data-focus={isDangerous ? true : undefined}
            onClick={onCancel}
            type="button"
          >
            {t('app.cancel')}
          </button>
        )}
        {props.children}
        <button
          className={isDangerous ? 'button danger' : 'button primary'}
          data-focus={isFocused ? true : undefined}
          disabled={disabled}
          onClick={onRun && (() => void onRun())}
          type={onRun === undefined ? 'submit' : 'button'}
        >
          {run}
        </button>
      </div>
    </>
  );
}
