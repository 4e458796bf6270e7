import { element } from './elements.js';

function nameOf({ kind, name, ofType }) {
  if (kind === 'NON_NULL') return `${nameOf(ofType)}!`;
  return kind === 'LIST' ? `[${nameOf(ofType)}]` : name;
}

const innermost = (type) => (type.ofType ? innermost(type.ofType) : type);

/** Lists the types of a schema; a click on a type shows it. */
export function schemaBrowser(schema) {
  const content = element('div');
  const search = element('input', {
    type: 'search',
    placeholder: 'Search the schema',
    'aria-label': 'Search the schema',
  });
  const types = schema.types.filter(({ name }) => !name.startsWith('__'));
  const link = (type) =>
    element('button', { class: 'link', onclick: () => show(innermost(type).name) }, nameOf(type));
  const describe = (text) => (text ? element('p', {}, text) : undefined);

  const fieldRow = ({ name, description, type, args = [] }) => {
    const given = args.flatMap((arg, index) => [index === 0 ? '(' : ', ', `${arg.name}: `, link(arg.type)]);
    const close = args.length > 0 ? [')'] : [];
    return element(
      'li',
      {},
      element('code', {}, name, ...given, ...close, ': ', link(type)),
      describe(description),
    );
  };

  function show(name) {
    const type = types.find((one) => one.name === name);
    if (type === undefined) return;
    const values = (type.enumValues ?? []).map((value) =>
      element('li', {}, element('code', {}, value.name), describe(value.description)),
    );
    const possible = (type.possibleTypes ?? []).map((one) => element('li', {}, link(one)));
    const fields = [...(type.fields ?? []), ...(type.inputFields ?? [])].map(fieldRow);
    const back = element(
      'button',
      { class: 'link', onclick: () => show(schema.queryType.name) },
      schema.queryType.name,
    );
    content.replaceChildren(
      back,
      element('h3', {}, name),
      describe(type.description) ?? '',
      element('ul', {}, ...fields, ...values, ...possible),
    );
  }

  function find() {
    const word = search.value.toLowerCase();
    if (word === '') return show(schema.queryType.name);
    const found = types.filter(({ name }) => name.toLowerCase().includes(word)).slice(0, 100);
    content.replaceChildren(element('ul', {}, ...found.map((type) => element('li', {}, link(type)))));
  }

  search.addEventListener('input', find);
  show(schema.queryType.name);
  return element(
    'aside',
    { class: 'schema', 'aria-label': 'Schema' },
    element('h2', {}, 'Schema'),
    search,
    content,
  );
}
