/* global document, fetch, location */
import { element, readable } from './elements.js';
import { schemaBrowser } from './schema-browser.js';

const entrance = document.querySelector('.entrance');
const output = entrance.querySelector('output');

const introspection = `{ __schema { queryType { name } types { kind name description
  fields { name description type { ...T } args { name description type { ...T } } }
  inputFields { name description type { ...T } } enumValues { name description } possibleTypes { name } } } }
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }`;

/** Sends a request with the key and returns the parsed body, also of failures. Only this page keeps the key. */
async function send(key, request) {
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(request),
  });
  return response.json();
}

/** An initial query for a collection of the schema. */
function firstQuery(schema) {
  const { fields } = schema.types.find(({ name }) => name === schema.queryType.name);
  const collection = fields.find(({ name }) => name.endsWith('Collection'));
  if (collection === undefined) return '{\n  __typename\n}\n';
  return `{\n  ${collection.name}(limit: 3) {\n    total\n    items {\n      _id\n      _slug\n      _locale\n    }\n  }\n}\n`;
}

/** Tab indents; Ctrl+Enter runs the query. */
function editorKeys(event, run) {
  const { target, key, ctrlKey, metaKey } = event;
  if (key === 'Enter' && (ctrlKey || metaKey)) {
    event.preventDefault();
    run();
  } else if (key === 'Tab' && !event.shiftKey) {
    event.preventDefault();
    target.setRangeText('  ', target.selectionStart, target.selectionEnd, 'end');
  }
}

function open(key, schema) {
  const query = element('textarea', { 'aria-label': 'Query', spellcheck: 'false' }, firstQuery(schema));
  const variables = element('textarea', {
    'aria-label': 'Variables',
    spellcheck: 'false',
    placeholder: '{ }',
  });
  const result = element('pre', { class: 'result', 'aria-label': 'Result', 'aria-live': 'polite' });
  const run = async () => {
    result.textContent = '…';
    try {
      const given = variables.value.trim() === '' ? undefined : JSON.parse(variables.value);
      result.textContent = readable(
        JSON.stringify(await send(key, { query: query.value, variables: given })),
      );
    } catch (error) {
      result.textContent = error instanceof SyntaxError ? 'The variables are not JSON.' : error.message;
    }
  };
  for (const editor of [query, variables])
    editor.addEventListener('keydown', (event) => editorKeys(event, run));
  const editors = element(
    'div',
    { class: 'editors' },
    query,
    element('h2', {}, 'Variables'),
    variables,
    element('button', { onclick: run, title: 'Ctrl+Enter' }, 'Run'),
  );
  entrance.hidden = true;
  document.getElementById('explorer').append(editors, result, schemaBrowser(schema));
}

entrance.addEventListener('submit', async (event) => {
  event.preventDefault();
  output.textContent = '';
  const key = entrance.querySelector('input').value.trim();
  try {
    const { data, message } = await send(key, { query: introspection });
    if (data) open(key, data.__schema);
    else output.textContent = message ?? 'The service returned no schema.';
  } catch (error) {
    output.textContent = `The service cannot be reached: ${error.message}`;
  }
});
