/* global document, fetch, SwaggerUIBundle */
const { key } = document.body.dataset;

/** Removes examples of optional parameters: the page would send them and filter every list. */
function withoutOptionalExamples(document) {
  for (const path of Object.values(document.paths))
    for (const { parameters = [] } of Object.values(path))
      for (const parameter of parameters)
        if (!parameter.required) {
          delete parameter.example;
          delete parameter.examples;
          delete parameter.schema?.examples;
        }
  return document;
}

const response = await fetch('/openapi.json');
const ui = SwaggerUIBundle({
  spec: withoutOptionalExamples(await response.json()),
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => {
    if (key) ui.preauthorizeApiKey('apiKey', key);
  },
});
