import { useMemo, useState } from 'react';
import {
  fieldKinds,
  type FieldKind,
  fieldKindOptions,
} from '../../../../contracts/content/fields/field-kinds.js';
import { type ContentType, type Field, useProject } from '../../api/project-data.js';
import type { PropertyControlProps } from '../../resources/control-props.js';
import { optionLabel } from '../../resources/labels.js';
import { OperationForm } from '../../resources/operation-form.js';
import { OptionChecks } from '../../resources/option-checks.js';
import { apiNameOf, type FormConfig } from '../../resources/resource-config.js';
import { t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { ConditionEditor } from './condition-editor.js';
import { refreshTypes } from './type-form.js';
import type { z } from 'zod';
import { fields } from '../../../../contracts/content/fields/fields.contract.js';
import { inputOf, type Contract } from '../../resources/contract.js';

/**
 * The operation with the settings and validations of one kind instead of those of any kind, so that forms and checks
 * come from the shapes of the contracts.
 */
function fieldContract(verb: 'create' | 'update', kind: FieldKind): Contract {
  const contract: Contract = fields[verb];
  const { settings, validations } = fieldKindOptions[kind];
  const needsSettings = !settings.safeParse({}).success;
  const options: Record<string, z.ZodType> = {
    ...(Object.keys(settings.shape).length > 0 && {
      settings: needsSettings ? settings : settings.optional(),
    }),
    validations: validations.optional(),
  };
  const shape = inputOf(contract).omit({ settings: true, validations: true }).extend(options);
  return { _def: { ...contract._def, inputs: [shape] } };
}

/** Types that references, or blocks, may name. */
function TypeChecks(props: PropertyControlProps & { readonly isBlock: boolean }) {
  const { types } = useProject();
  const options = types
    .filter(({ isBlock }) => isBlock === props.isBlock)
    .map(({ apiName, name }) => ({ value: apiName, label: name }));
  return <OptionChecks {...props} options={options} />;
}

const formOf = (kind: FieldKind, others: readonly Field[]): FormConfig => ({
  named: { apiName: apiNameOf },
  order: [
    ...['name', 'apiName', 'description', 'required', 'unique', 'localized', 'isList', 'allowDestructive'],
    'settings',
  ],
  hidden: ['type', 'position'],
  editors: {
    'settings.contentTypes': (props) => <TypeChecks {...props} isBlock={kind === 'blocks'} />,
    'settings.visibleWhen': (props) => <ConditionEditor {...props} others={others} />,
    'validations.requiredWhen': (props) => <ConditionEditor {...props} others={others} />,
  },
});

function KindChoice({ onChoice }: { readonly onChoice: (kind: FieldKind) => void }) {
  return (
    <ul className="choices two">
      {fieldKinds.map((kind) => (
        <li key={kind}>
          <button className="choice" onClick={() => onChoice(kind)} type="button">
            <span className="grow">{optionLabel('fieldKind', kind)}</span>
            <span className="code soft">{kind}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface Props {
  readonly type: ContentType;
  /** Absent: a new one, whose kind is chosen first. */
  readonly field: Field | undefined;
  readonly onClose: () => void;
}

/** The form of a field: what all fields have, and the settings and validations of its kind. */
export function FieldDialog({ type, field, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const [kind, setKind] = useState(field?.type);
  const verb = field === undefined ? 'create' : 'update';
  const place = { projectSlug, contentTypeApiName: type.apiName };
  const form = useMemo(() => {
    const others = type.fields.filter(({ apiName }) => apiName !== field?.apiName);
    return kind === undefined ? undefined : formOf(kind, others);
  }, [kind, type, field]);
  const title = field?.name ?? t('fields.create', { type: type.name });
  return (
    <Dialog isWide onClose={onClose} title={title}>
      {kind === undefined || form === undefined ? (
        <KindChoice onChoice={setKind} />
      ) : (
        <OperationForm
          contract={fieldContract(verb, kind)}
          current={field}
          fixed={field === undefined ? { ...place, type: kind } : { ...place, fieldApiName: field.apiName }}
          form={form}
          onDone={() => {
            void refreshTypes();
            notify(t('fields.saved'));
            onClose();
          }}
          operation={`fields.${verb}`}
          submitLabel={t(field === undefined ? 'resource.create' : 'resource.save')}
        >
          <span className="grow soft">{optionLabel('fieldKind', kind)}</span>
        </OperationForm>
      )}
    </Dialog>
  );
}
