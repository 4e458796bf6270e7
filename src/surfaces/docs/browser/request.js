/* global fetch */
import { element, readable } from './elements.js';

const mediaType = 'application/json';

function exampleOf(schema, resolve, depth = 0) {
  const {
    example,
    examples,
    default: standard,
    type,
    properties,
    required = [],
    items,
    anyOf,
    oneOf,
    enum: values,
  } = resolve(schema ?? {});
  const given = example ?? examples?.[0] ?? standard ?? values?.[0];
  if (given !== undefined || depth > 6) return given;
  const [choice] = anyOf ?? oneOf ?? [];
  if (choice !== undefined) return exampleOf(choice, resolve, depth + 1);
  if (properties !== undefined) {
    const names = Object.keys(properties).filter((name) => required.includes(name));
    return Object.fromEntries(
      names.map((name) => [name, exampleOf(properties[name], resolve, depth + 1) ?? null]),
    );
  }
  if (type === 'array') return items === undefined ? [] : [exampleOf(items, resolve, depth + 1) ?? null];
  return { string: '', integer: 0, number: 0, boolean: false, object: {} }[type];
}

function parameterRow({ name, in: place, required, description, schema, example }, resolve) {
  const hint = place === 'path' ? (example ?? resolve(schema ?? {}).example ?? '') : '';
  const input = element('input', {
    name,
    placeholder: name,
    'aria-label': name,
    title: String(hint),
    'data-in': place,
  });
  const mark = required === true ? ' (required)' : '';
  return element(
    'label',
    { class: 'parameter' },
    element('code', {}, name),
    `${mark} ${description ?? ''}`,
    input,
  );
}

/** The method, URL, headers and body that the form describes. */
function requestOf(form, { method, path }, key) {
  const query = [];
  let address = path;
  const headers = { accept: '*/*' };
  for (const { name, value, dataset } of form.querySelectorAll('input[data-in]')) {
    if (dataset.in === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '' && dataset.in === 'query')
      query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    else if (value !== '' && dataset.in === 'header') headers[name] = value;
  }
  if (key !== '') headers.authorization = `Bearer ${key}`;
  const body = form.querySelector('textarea')?.value;
  if (body !== undefined && body.trim() !== '') headers['content-type'] = mediaType;
  const url = query.length === 0 ? address : `${address}?${query.join('&')}`;
  return { url, options: { method: method.toUpperCase(), headers, body: body?.trim() ? body : undefined } };
}

/** A form that sends the request of an operation and shows the response. */
export function requestForm(operation, resolve, keyOf) {
  const { parameters = [], requestBody } = operation.definition;
  const schema = requestBody?.content?.[mediaType]?.schema;
  const output = element('pre', { class: 'response', 'aria-live': 'polite' });
  const rows = parameters.map((parameter) => parameterRow(resolve(parameter), resolve));
  const sample = schema === undefined ? undefined : JSON.stringify(exampleOf(schema, resolve) ?? {}, null, 2);
  const body =
    sample === undefined
      ? undefined
      : element('textarea', { rows: '10', 'aria-label': 'Request body' }, sample);
  const send = async (event) => {
    event.preventDefault();
    output.textContent = '…';
    const { url, options } = requestOf(event.target, operation, keyOf());
    try {
      const response = await fetch(url, options);
      const text = await response.text();
      output.textContent = `${options.method} ${url}\n${response.status} ${response.statusText}\n\n${readable(text)}`;
    } catch (error) {
      output.textContent = `The service cannot be reached: ${error.message}`;
    }
  };
  return element('form', { onsubmit: send }, ...rows, body, element('button', {}, 'Send'), output);
}
