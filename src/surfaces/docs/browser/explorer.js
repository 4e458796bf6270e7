/* global document, fetch, globalThis, location, URL, Worker */
const { assets } = document.body.dataset;
const entrance = document.querySelector('.entrance');
const output = entrance.querySelector('output');

/** Sends a request with the key and returns the parsed body, also of failures. */
async function send(key, request) {
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(request),
  });
  return response.json();
}

/** An initial query for a collection of the schema. */
function firstQuery({ fields }) {
  const collection = fields.find(({ name }) => name.endsWith('Collection'));
  if (collection === undefined) return '{\n  __typename\n}\n';
  return `{\n  ${collection.name}(limit: 3) {\n    total\n    items {\n      _id\n      _slug\n      _locale\n    }\n  }\n}\n`;
}

/** Opens GraphiQL, which sends the key with every request. Only this page keeps the key. */
async function open(key, defaultQuery) {
  const workers = { json: 'jsonWorker.js', graphql: 'graphqlWorker.js' };
  globalThis.MonacoEnvironment = {
    getWorker: (_id, label) =>
      new Worker(new URL(`${assets}ruru/${workers[label] ?? 'editorWorker.js'}`, location.href), {
        type: 'module',
      }),
  };
  const { React, createRoot, Ruru } = await import(`${assets}ruru/ruru.js`);
  entrance.hidden = true;
  const fetcher = (request) => send(key, request);
  createRoot(document.getElementById('ruru-root')).render(
    React.createElement(Ruru, { fetcher, defaultQuery, isHeadersEditorEnabled: false }),
  );
}

entrance.addEventListener('submit', async (event) => {
  event.preventDefault();
  output.textContent = '';
  const key = entrance.querySelector('input').value.trim();
  try {
    const { data, message } = await send(key, { query: '{ __schema { queryType { fields { name } } } }' });
    if (data) await open(key, firstQuery(data.__schema.queryType));
    else output.textContent = message ?? 'The service returned no schema.';
  } catch (error) {
    output.textContent = `The service cannot be reached: ${error.message}`;
  }
});
