import { kindOf } from './field-kinds/index.js';

/** The part of a field that decides whether it can title an entry. */
interface TitleCandidate {
  readonly type: string;
  readonly isList: boolean;
}

interface TitledType {
  readonly displayField: string | null;
  readonly fields: readonly (TitleCandidate & { readonly apiName: string })[];
}

/** Whether a field can be a type's display field. */
export function canTitle(field: TitleCandidate): boolean {
  return !field.isList && kindOf(field).titles !== 'never';
}

/** The field whose value titles an entry: the display field, else the first short text. */
export function titleFieldOf({ displayField, fields }: TitledType): string | null {
  const first = () => fields.find((field) => !field.isList && kindOf(field).titles === 'first');
  return displayField ?? first()?.apiName ?? null;
}
