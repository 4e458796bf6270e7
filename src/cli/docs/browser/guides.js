/* global document, fetch, location */
import MiniSearch from 'minisearch';

const MOST = 20;
const EXCERPT = 160;

const input = document.querySelector('input[type=search]');
const output = document.querySelector('#found');
let loading;

/** Loaded with the first letter. */
function index() {
  loading ??= fetch('search.json')
    .then((answer) => answer.json())
    .then((sections) => {
      const search = new MiniSearch({
        idField: 'address',
        fields: ['title', 'page', 'text'],
        storeFields: ['page', 'title', 'text'],
        searchOptions: { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } },
      });
      const known = new Set();
      search.addAll(sections.filter(({ address }) => !known.has(address) && known.add(address)));
      return search;
    });
  return loading;
}

function excerptOf(text, terms) {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - 40);
  return `${start > 0 ? '…' : ''}${text.slice(start, start + EXCERPT)}${text.length > start + EXCERPT ? '…' : ''}`;
}

function resultOf({ id, page, title, text, terms }) {
  const link = document.createElement('a');
  link.href = id;
  const heading = document.createElement('strong');
  heading.textContent = title === page ? title : `${page}: ${title}`;
  const excerpt = document.createElement('span');
  excerpt.textContent = excerptOf(text, terms);
  link.append(heading, excerpt);
  return link;
}

async function show() {
  const words = input.value.trim();
  output.hidden = words === '';
  if (words === '') return;
  try {
    const found = (await index()).search(words).slice(0, MOST);
    if (words !== input.value.trim()) return;
    output.replaceChildren(...found.map(resultOf));
    if (found.length === 0) output.textContent = `Nothing was found for “${words}”.`;
  } catch {
    loading = undefined;
    output.textContent = 'The search could not be loaded. Type again to retry.';
  }
}

input.addEventListener('input', show);
input.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') output.querySelector('a')?.click();
  if (event.key !== 'Escape') return;
  input.value = '';
  output.hidden = true;
});
output.addEventListener('click', (event) => {
  // A link to the same page loads nothing, so the list is closed.
  if (event.target.closest('a') !== null) output.hidden = true;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || /^(?:input|textarea)$/i.test(document.activeElement?.tagName ?? '')) return;
  event.preventDefault();
  input.focus();
});

const words = new URLSearchParams(location.search).get('q');
if (words !== null) {
  input.value = words;
  void show();
}
