import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { notify } from '../ui/toasts.js';
import { secretKeys, type Contract } from './contract.js';
import type { Values } from './form-input.js';
import { OperationForm } from './operation-form.js';
import type { ItemAction } from './resource-config.js';
import { SecretDialog, type Secret } from './secret-dialog.js';
import { refreshAfter, type OperationResult } from './use-operation.js';

/** The secrets of an answer, which are shown once. */
export const secretsIn = (contract: Contract, { data }: OperationResult): Secret[] =>
  secretKeys(contract).flatMap((key) => {
    const value = (data as Values)[key];
    return typeof value === 'string' ? [{ key, value }] : [];
  });

interface Props {
  /** Such as `apiKeys.rotate`. */
  readonly operation: string;
  readonly contract: Contract;
  readonly action: ItemAction<never>;
  /** What the item is called. */
  readonly name: string;
  readonly fixed: Values;
  readonly refreshes?: readonly QueryKey[] | undefined;
  readonly onDone: (answer: OperationResult) => void;
  readonly onClose: () => void;
}

/** Asks for the input of an operation on an item, or only whether it is meant, and shows its secret. */
export function ActionDialog({ operation, contract, action, name, fixed, ...rest }: Props) {
  const [answer, setAnswer] = useState<OperationResult>();
  const secretsOf = (done: OperationResult): Secret[] => {
    const shown = action.shows?.(done.data as Values);
    return secretsIn(contract, done).filter(({ key }) => shown?.includes(key) ?? true);
  };
  const secrets = answer === undefined ? [] : secretsOf(answer);
  if (answer !== undefined && secrets.length > 0)
    return (
      <SecretDialog
        onClose={() => rest.onDone(answer)}
        resource={operation.split('.')[0] ?? ''}
        secrets={secrets}
      />
    );
  return (
    <Dialog onClose={rest.onClose} title={t(action.label)}>
      {action.question !== undefined && <p>{t(action.question, { name })}</p>}
      <OperationForm
        contract={contract}
        fixed={fixed}
        form={action.form}
        isDangerous={action.isDangerous === true}
        onDone={(done) => {
          const text = typeof action.done === 'function' ? action.done(done.data as Values) : action.done;
          notify(t(text, { name }));
          void refreshAfter(operation, rest.refreshes);
          if (secretsOf(done).length > 0) setAnswer(done);
          else rest.onDone(done);
        }}
        operation={operation}
        submitLabel={t(action.label)}
      >
        <button className="button" data-focus onClick={rest.onClose} type="button">
          {t('app.cancel')}
        </button>
      </OperationForm>
    </Dialog>
  );
}
