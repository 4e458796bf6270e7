export const list = (count: number, item: (index: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, index) => item(index)).join(separator);

/** Queries that have crashed other servers, each within the body limit of 100 KB. */
export const hostileQueries: Readonly<Record<string, string>> = {
  'nested selections': '{a'.repeat(30_000),
  'nested lists': `{ authorCollection(where: ${'['.repeat(40_000)}`,
  'nested objects': `{ authorCollection(where: ${'{a:'.repeat(20_000)}`,
  'nested types': `query ($a: ${'['.repeat(40_000)}`,
  'many aliases': `{ ${list(6000, (index) => `a${index}:__typename`)} }`,
  'aliases within the tokens': `{ ${list(600, (index) => `a${index}:__typename`)} }`,
  'many directives': `{ __typename ${'@a'.repeat(30_000)} }`,
  'directives within the tokens': `{ __typename ${'@a'.repeat(990)} }`,
  'repeated fields': `{ ${'x '.repeat(1990)} }`,
  'repeated selections': `{ ${'x{y}'.repeat(495)} }`,
  'repeated pages': `{ authorCollection { ${'items{name}'.repeat(480)} total(x:1) } }`,
  'repeated fields of different arguments': `{ ${list(280, (index) => `x(a:${index})`)} }`,
  'repeated narrowing': `{ entry(id:1) { ${'...on Author{friend{name}}'.repeat(240)} x } }`,
  'repeated plain fragments': `{ ${'...{x}'.repeat(495)} }`,
  'fragments that double': `{ ...A0 } ${list(100, (index) => `fragment A${index} on Query { ...A${index + 1} ...A${index + 1} }`)} fragment A100 on Query { __typename }`,
  'fields that double': `{ entry(id: 1) { ...A0 } } ${list(60, (index) => `fragment A${index} on Author { friend { ...A${index + 1} } f: friend { ...A${index + 1} } }`)} fragment A60 on Author { name }`,
  'inline fragments that double': `{ ...A0 } ${list(90, (index) => `fragment A${index} on Query { ...{ ...A${index + 1} } ...on Query { ...A${index + 1} } }`)} fragment A90 on Query { __typename }`,
  'introspection that doubles': `{ __schema { ...A0 } } ${list(90, (index) => `fragment A${index} on __Schema { ...A${index + 1} ...on __Schema { ...A${index + 1} } }`)} fragment A90 on __Schema { __typename }`,
  'circles of fragments': `{ ${list(190, (index) => `...A${index}`)} } ${list(190, (index) => `fragment A${index} on Query { ...A${(index + 1) % 190} }`)}`,
  'a long chain of fragments': `{ ...A0 } ${list(210, (index) => `fragment A${index} on Query { ...A${index + 1} x }`)} fragment A210 on Query { x }`,
  'fragments spread everywhere': `{ ${list(40, (index) => `entry(id:${index}) { ${list(20, (number) => `...A${number}`)} }`)} } ${list(20, (index) => `fragment A${index} on Author { friend { name } }`)}`,
  'many unknown fields': `{ ${list(1900, (index) => `authorCollectio${index}`)} }`,
  'many operations': `${list(280, (index) => `query a${index} { x }`)}`,
  'many variables': `query (${list(480, (index) => `$a${index}: Int`)}) { x }`,
  'a long name': `{ ${'a'.repeat(99_000)} }`,
  'comments only': '#\n'.repeat(30_000),
  'strings that never close': '"""'.repeat(16_001),
  'block strings': `{ x(a: """${'\\"""'.repeat(10_000)}""") }`,
  'many tokens': '{'.concat('a '.repeat(49_000)),
  'ten thousand aliases': `{ ${list(10_000, (index) => `a${index}:x`)} }`,
  'directives on everything': `query @a ${'@skip(if:true) '.repeat(45)} { ${'__typename @a '.repeat(300)} }`,
  'types inside types': `{ __type(name: "Author") ${'{ fields { type '.repeat(6)} { name } ${'} } '.repeat(6)} }`,
  'the schema inside the schema':
    '{ __schema { types { fields { type { fields { type { possibleTypes { name } } } } } } } }',
  'the schema many times': `{ ${list(50, (index) => `a${index}: __schema { ...S }`)} } fragment S on __Schema { types { name kind fields { name type { name } args { name } } } }`,
};

/** Bodies that are hostile whatever the query, with the expected status. */
export const hostileBodies: Readonly<Record<string, readonly [string, number]>> = {
  'a megabyte of query': [JSON.stringify({ query: `{ ${'a '.repeat(524_288)} }` }), 413],
  'a megabyte of variables': [
    JSON.stringify({ query: '{ __typename }', variables: { a: 'a'.repeat(1_048_576) } }),
    413,
  ],
  'a batch': [`[${list(3000, () => '{"query":"{ __typename }"}', ',')}]`, 400],
  'deep variables': [
    `{"query":"{ __typename }","variables":{"a":${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}}}`,
    400,
  ],
  'wide variables that do not fit': [
    JSON.stringify({
      query: 'query ($v: Int) { authorCollection(limit: $v) { total } }',
      variables: { v: Array.from({ length: 20_000 }, () => 1) },
    }),
    400,
  ],
  'a number that never ends': [`{"query":"{ __typename }","variables":{"a":${'9'.repeat(90_000)}}}`, 400],
  'keys without end': [`{"query":"{ a }",${list(9000, (index) => `"k${index}":0`, ',')}}`, 400],
};
