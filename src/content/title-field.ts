import { kindOf } from './field-kinds/index.js';

interface TitleCandidate {
  readonly type: string;
  readonly isList: boolean;
}

interface TitledType {
  readonly displayField: string | null;
  readonly fields: readonly (TitleCandidate & { readonly apiName: string })[];
}

export function canTitle(field: TitleCandidate): boolean {
  return !field.isList && kindOf(field).titles !== 'never';
}

/** The display field, else the first short text. */
export function titleFieldOf({ displayField, fields }: TitledType): string | null {
  const first = () => fields.find((field) => !field.isList && kindOf(field).titles === 'first');
  return displayField ?? first()?.apiName ?? null;
}
