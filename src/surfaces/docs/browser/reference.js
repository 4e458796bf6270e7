/* global document, fetch, location, requestAnimationFrame */
import { element } from './elements.js';
import { requestForm } from './request.js';

const root = document.getElementById('reference');
const keyField = document.querySelector('input[name=key]');
const filter = document.querySelector('input[name=filter]');
const methods = ['get', 'post', 'put', 'patch', 'delete'];

const specification = await (await fetch('/openapi.json')).json();

/** What a reference leads to, or the value itself. */
function resolve(value) {
  if (value.$ref === undefined) return value;
  const path = value.$ref.slice(2).split('/');
  const target = resolve(path.reduce((found, part) => found?.[part], specification) ?? {});
  return value.description === undefined ? target : { ...target, description: value.description };
}

/** A schema with its references replaced, except those to what contains them. */
function expanded(value, within = []) {
  if (Array.isArray(value)) return value.map((part) => expanded(part, within));
  if (typeof value !== 'object' || value === null) return value;
  if (within.includes(value.$ref)) return value;
  if (value.$ref !== undefined) return expanded(resolve(value), [...within, value.$ref]);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, expanded(part, within)]));
}

const operations = Object.entries(specification.paths).flatMap(([path, item]) =>
  methods
    .filter((method) => item[method] !== undefined)
    .map((method) => {
      const parameters = [...(item.parameters ?? []), ...(item[method].parameters ?? [])];
      return { path, method, definition: { ...item[method], parameters } };
    }),
);

function schemaBlock(title, schema) {
  if (schema === undefined) return undefined;
  const block = element('details', {}, element('summary', {}, title));
  block.addEventListener('toggle', () => {
    if (block.children.length === 1)
      block.append(element('pre', {}, JSON.stringify(expanded(schema), null, 2)));
  });
  return block;
}

const jsonSchema = (value) => value?.content?.['application/json']?.schema;

function responseList(responses) {
  const rows = Object.entries(responses).map(([status, given]) => {
    const response = { ...resolve(given), ...(given.description && { description: given.description }) };
    const schema = status.startsWith('2') ? schemaBlock('Schema', jsonSchema(response)) : undefined;
    return element('li', {}, element('code', {}, status), ` ${response.description ?? ''}`, schema);
  });
  return element('ul', { class: 'responses' }, ...rows);
}

/** Rendered when it is opened: the whole document would take seconds. */
function operationBlock(operation) {
  const { method, path, definition } = operation;
  const summary = element(
    'summary',
    {},
    element('span', { class: `method ${method}` }, method.toUpperCase()),
    element('code', {}, path),
    element('span', { class: 'title' }, definition.summary ?? ''),
  );
  const block = element('details', { class: 'operation', id: definition.operationId }, summary);
  block.addEventListener('toggle', () => {
    if (!block.open || block.children.length > 1) return;
    block.append(
      element('p', {}, definition.description ?? ''),
      requestForm(operation, resolve, () => keyField.value.trim()),
      schemaBlock('Schema of the request body', jsonSchema(definition.requestBody)) ?? '',
      responseList(definition.responses ?? {}),
    );
  });
  return block;
}

const matches = ({ method, path, definition }, words) => {
  const text = `${method} ${path} ${definition.summary ?? ''} ${definition.operationId ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

function tagBlock({ name, description }, members, isOpen) {
  const block = element(
    'details',
    { class: 'tag', open: isOpen },
    element('summary', {}, element('h2', {}, name), element('span', {}, description ?? '')),
  );
  const show = () => {
    if (block.open && block.children.length === 1) block.append(...members.map(operationBlock));
  };
  block.addEventListener('toggle', show);
  show();
  return block;
}

function show() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const blocks = (specification.tags ?? []).flatMap((tag) => {
    const members = operations.filter(
      (operation) => operation.definition.tags?.includes(tag.name) && matches(operation, words),
    );
    return members.length === 0 ? [] : [tagBlock(tag, members, words.length > 0)];
  });
  root.replaceChildren(...blocks);
}

/** Opens the operation that the address names. */
function openLinked() {
  const id = decodeURIComponent(location.hash.slice(1));
  const tag = operations.find(({ definition }) => definition.operationId === id)?.definition.tags?.[0];
  for (const block of root.querySelectorAll('.tag'))
    if (block.querySelector('h2').textContent === tag) block.open = true;
  requestAnimationFrame(() => {
    const linked = id === '' ? null : document.getElementById(id);
    if (linked === null) return;
    linked.open = true;
    linked.scrollIntoView();
  });
}

filter.addEventListener('input', show);
show();
openLinked();
