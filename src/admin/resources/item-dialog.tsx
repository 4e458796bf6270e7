import { useState } from 'react';
import { useProject } from '../api/project-data.js';
import type { OperationName } from '../../../contracts/index.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { notify } from '../ui/toasts.js';
import { ActionDialog, secretsIn } from './action-dialog.js';
import { cellOf } from './cell.js';
import type { Contract } from './contract.js';
import type { Values } from './form-input.js';
import { labelOf } from './labels.js';
import { OperationForm } from './operation-form.js';
import type { ItemAction, ResourceConfig } from './resource-config.js';
import { SecretDialog, type Secret } from './secret-dialog.js';
import { refreshAfter } from './use-operation.js';

interface Props<Item extends object> {
  readonly resource: ResourceConfig<Item>;
  readonly list: Contract;
  /** Absent: something new. */
  readonly item: Item | undefined;
  readonly fixed: Values;
  /** After something new was created. */
  readonly onCreated?: (item: Item) => void;
  readonly onClose: () => void;
}

const asValues = (item: object): Values => item as Values;

/** The keys that name an item in operations on it. */
export function keyOf<Item extends object>({ key }: ResourceConfig<Item>, item: Item): Values {
  const { input, item: name } = key ?? { input: 'id', item: 'id' as keyof Item & string };
  return { [input]: item[name] };
}

interface FactsProps<Item extends object> extends Pick<Props<Item>, 'resource' | 'list'> {
  readonly item: Item;
}

/** Keys of an item that its form does not have. */
export function ItemFacts<Item extends object>({ resource, list, item }: FactsProps<Item>) {
  const { facts = [], cells, name } = resource;
  if (facts.length === 0) return null;
  return (
    <dl className="facts">
      {facts.map((key) => (
        <div key={key}>
          <dt>{labelOf(name, key)}</dt>
          <dd>{cells?.[key]?.(item) ?? cellOf(list, key, item[key])}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Operations on an item; each asks first. */
export function ItemActions<Item extends object>(props: {
  readonly resource: ResourceConfig<Item>;
  readonly item: Item;
  readonly fixed: Values;
  readonly onDone: (verb: string) => void;
}) {
  const { resource, item, fixed, onDone } = props;
  const { may } = useProject();
  const [open, setOpen] = useState<ItemAction<Item>>();
  const offered = (resource.actions ?? []).filter(
    ({ verb, isOffered }) => may(`${resource.name}.${verb}` as OperationName) && (isOffered?.(item) ?? true),
  );
  const contract = open && resource.contracts[open.verb];
  return (
    <>
      {offered.map((action) => (
        <button
          className={action.isDangerous === true ? 'button danger' : 'button'}
          key={action.verb}
          onClick={() => setOpen(action)}
          type="button"
        >
          {t(action.label)}
        </button>
      ))}
      {open !== undefined && contract !== undefined && (
        <ActionDialog
          action={open}
          contract={contract}
          fixed={{ ...fixed, ...keyOf(resource, item) }}
          name={resource.nameOf(item)}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            setOpen(undefined);
            onDone(open.verb);
          }}
          operation={`${resource.name}.${open.verb}`}
          refreshes={resource.refreshes}
        />
      )}
    </>
  );
}

/** Form of an item, or of a new one, with what else can be done with it. */
export function ItemDialog<Item extends object>(props: Props<Item>) {
  const { resource, item, fixed, onClose } = props;
  const { may } = useProject();
  const [isDirty, setIsDirty] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const [secrets, setSecrets] = useState<readonly Secret[]>([]);
  const verb = item === undefined ? 'create' : 'update';
  const contract = resource.contracts[verb];
  const canChange =
    may(`${resource.name}.${verb}` as OperationName) &&
    (item === undefined || (resource.canChange?.(item) ?? true));
  if (secrets.length > 0)
    return <SecretDialog onClose={onClose} resource={resource.name} secrets={secrets} />;
  return (
    <Dialog
      isWide={resource.isWide === true}
      onClose={() => (isDirty && !isLeaving ? setIsLeaving(true) : onClose())}
      title={item === undefined ? t(resource.createLabel) : resource.nameOf(item)}
    >
      {isLeaving && (
        <div className="notice warn" role="alert">
          <span className="grow">{t('form.unsaved')}</span>
          <button className="button" onClick={() => setIsLeaving(false)} type="button">
            {t('entry.stay')}
          </button>
          <button className="button danger" onClick={onClose} type="button">
            {t('entry.leave')}
          </button>
        </div>
      )}
      {item !== undefined && <ItemFacts {...props} item={item} />}
      {canChange && contract !== undefined && (
        <OperationForm
          contract={contract}
          current={item && (resource.valuesOf?.(item) ?? asValues(item))}
          fixed={item === undefined ? fixed : { ...fixed, ...keyOf(resource, item) }}
          form={resource.form}
          onDirty={setIsDirty}
          onDone={(answer) => {
            const created = item === undefined ? resource.created?.(answer.data as Values) : undefined;
            notify(created ?? t('resource.saved'));
            void refreshAfter(resource.name, resource.refreshes);
            const found = secretsIn(contract, answer);
            if (found.length > 0) return setSecrets(found);
            onClose();
            if (item === undefined) props.onCreated?.(answer.data as Item);
          }}
          operation={`${resource.name}.${verb}`}
          submitLabel={t(item === undefined ? 'resource.create' : 'resource.save')}
        />
      )}
      {item !== undefined && (
        <div className="actions start">
          <ItemActions fixed={fixed} item={item} onDone={onClose} resource={resource} />
        </div>
      )}
    </Dialog>
  );
}
