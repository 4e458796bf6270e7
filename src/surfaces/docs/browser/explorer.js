/* global document, fetch, globalThis, location, URL, Worker */
const { assets } = document.body.dataset;
const entrance = document.querySelector('.entrance');
const said = entrance.querySelector('output');

/** Sends one request with the key; answers the parsed body, failures included. */
async function send(key, request) {
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(request),
  });
  return response.json();
}

/** A query to begin with, for a collection that the schema has. */
function firstQuery({ fields }) {
  const collection = fields.find(({ name }) => name.endsWith('Collection'));
  if (collection === undefined) return '{\n  __typename\n}\n';
  return `{\n  ${collection.name}(limit: 3) {\n    total\n    items {\n      _id\n      _slug\n      _locale\n    }\n  }\n}\n`;
}

/** Opens GraphiQL, whose requests all bear the key. The key is kept by this page only, until it is left. */
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
  said.textContent = '';
  const key = entrance.querySelector('input').value.trim();
  try {
    const { data, message } = await send(key, { query: '{ __schema { queryType { fields { name } } } }' });
    if (data) await open(key, firstQuery(data.__schema.queryType));
    else said.textContent = message ?? 'The service did not answer.';
  } catch (error) {
    said.textContent = `The service cannot be reached: ${error.message}`;
  }
});
