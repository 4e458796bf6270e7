import { useId, useState, type ReactNode } from 'react';
import { useCall } from '../../api/use-call.js';
import { t } from '../../texts/index.js';
import type { SavedView } from './view-settings.js';

type ViewName = Pick<SavedView, 'name' | 'visibility'>;

interface Props {
  readonly start: ViewName;
  readonly submitLabel: string;
  readonly onSubmit: (view: ViewName) => Promise<void>;
  /** Beside the button. */
  readonly children?: ReactNode;
}

const visibilities = ['private', 'shared'] as const;

/** Name and visibility of a view. */
export function ViewForm({ start, submitLabel, onSubmit, children }: Props) {
  const id = useId();
  const [name, setName] = useState(start.name);
  const [visibility, setVisibility] = useState(start.visibility);
  const { isBusy, failure, run } = useCall();
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void run(() => onSubmit({ name: name.trim(), visibility }));
      }}
    >
      <div className="field">
        <label className="label" htmlFor={id}>
          {t('views.name')}
        </label>
        <input
          className="input"
          data-focus
          dir="auto"
          id={id}
          maxLength={200}
          onChange={({ target }) => setName(target.value)}
          required
          value={name}
        />
      </div>
      <fieldset className="field">
        <legend className="label">{t('views.visibility')}</legend>
        {visibilities.map((one) => (
          <label className="row" key={one}>
            <input
              checked={visibility === one}
              name={`${id}-visibility`}
              onChange={() => setVisibility(one)}
              type="radio"
            />
            {t(`views.${one}`)}
          </label>
        ))}
      </fieldset>
      {failure !== undefined && (
        <p className="problem" role="alert">
          {failure.issues[0]?.message ?? failure.message}
        </p>
      )}
      <div className="actions">
        {children}
        <button className="button primary" disabled={isBusy || name.trim() === ''} type="submit">
          {submitLabel}
        </button>
      </div>
    </form>
  );
}
