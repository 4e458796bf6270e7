import { readFile } from 'node:fs/promises';
import path from 'node:path';
import MarkdownIt from 'markdown-it';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const markdown = new MarkdownIt();

export const { escapeHtml } = markdown.utils;

/** Descriptions are Markdown. */
const inline = (text = '') => markdown.renderInline(text);

const slugOf = (tag) => `api-${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;

class Reference {
  #document;

  constructor(document) {
    this.#document = document;
  }

  resolve(value) {
    const { $ref, ...own } = value ?? {};
    if ($ref === undefined) return own;
    const target = $ref
      .slice(2)
      .split('/')
      .reduce((part, key) => part?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], this.#document);
    return { ...this.resolve(target), ...own };
  }

  /** Operations with their paths and shared parameters. */
  operations() {
    return Object.entries(this.#document.paths).flatMap(([address, item]) =>
      METHODS.filter((method) => item[method] !== undefined).map((method) => ({
        ...item[method],
        method: method.toUpperCase(),
        address,
        parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map((one) =>
          this.resolve(one),
        ),
      })),
    );
  }

  typeOf(schema, depth = 0) {
    const { type, items, anyOf, oneOf, enum: values, const: only } = this.resolve(schema);
    if (only !== undefined) return JSON.stringify(only);
    if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
    const choices = anyOf ?? oneOf;
    if (choices !== undefined && depth < 4)
      return [...new Set(choices.map((choice) => this.typeOf(choice, depth + 1)))].join(' | ');
    if (type === 'array')
      return `list of ${items === undefined ? 'anything' : this.typeOf(items, depth + 1)}`;
    return Array.isArray(type) ? type.join(' | ') : (type ?? 'anything');
  }

  rows(fields) {
    if (fields.length === 0) return '';
    const cells = fields.map(
      ({ name, place, type, isRequired, description }) =>
        `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}</td><td>${escapeHtml(type)}${isRequired ? ', required' : ''}</td><td>${inline(description)}</td></tr>`,
    );
    return `<table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${cells.join('')}</tbody></table>`;
  }

  fieldsOf({ parameters, requestBody }) {
    const ofUrl = parameters.map(({ name, in: place, required = false, schema, description }) => ({
      name,
      place,
      type: this.typeOf(schema),
      isRequired: required,
      description,
    }));
    const content = this.resolve(requestBody).content ?? {};
    const { properties = {}, required = [] } = this.resolve(Object.values(content)[0]?.schema);
    const ofBody = Object.entries(properties).map(([name, schema]) => ({
      name,
      place: 'body',
      type: this.typeOf(schema),
      isRequired: required.includes(name),
      description: this.resolve(schema).description,
    }));
    return [...ofUrl, ...ofBody];
  }

  /** What the responses are, by status. */
  responses({ responses = {} }) {
    const items = Object.entries(responses).map(([status, response]) => {
      const { description = '' } = this.resolve(response);
      return `<li><code>${escapeHtml(status)}</code> ${inline(description)}</li>`;
    });
    return `<ul>${items.join('')}</ul>`;
  }

  section(operation) {
    const { summary = '', description = '', method, address, operationId } = operation;
    const html = `<h2 id="${escapeHtml(operationId)}">${inline(summary)}</h2><p><code>${method} ${escapeHtml(address)}</code></p><p>${inline(description)}</p>`;
    const fields = this.fieldsOf(operation);
    return {
      html: `${html}${this.rows(fields)}${this.responses(operation)}`,
      found: {
        level: 2,
        title: summary,
        anchor: operationId,
        text: `${method} ${address} ${description} ${fields.map(({ name }) => name).join(' ')}`,
      },
    };
  }
}

/** A page for each tag of the OpenAPI document. */
export async function referencePages(root) {
  const document = JSON.parse(await readFile(path.join(root, 'openapi/openapi.json'), 'utf8'));
  const reference = new Reference(document);
  const operations = reference.operations();
  return document.tags.map(({ name, description = '' }) => {
    const sections = operations.filter(({ tags }) => tags?.[0] === name).map((one) => reference.section(one));
    return {
      slug: slugOf(name),
      group: 'REST reference',
      title: name,
      sections: [
        { level: 1, title: name, anchor: '', text: description },
        ...sections.map(({ found }) => found),
      ],
      html: `<h1>${inline(name)}</h1><p>${inline(description)}</p>${sections.map(({ html }) => html).join('')}`,
    };
  });
}
