/** The values of a list that may be written as text with commas, as in a query string. */
export const commaList = <Value>(value: Value): Exclude<Value, string> | string[] =>
  typeof value === 'string' ? value.split(',') : (value as Exclude<Value, string>);
