import type { z } from 'zod';
import { fields } from '../../../../contracts/management/fields.contract.js';
import { fieldKindOptions, type FieldKind } from '../../../../contracts/resources/field-kinds.js';
import { inputOf, type Contract } from '../../resources/contract.js';

/**
 * The operation with the settings and validations of one kind instead of those of any kind, so that forms and checks
 * come from the shapes of the contracts.
 */
export function fieldContract(verb: 'create' | 'update', kind: FieldKind): Contract {
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
