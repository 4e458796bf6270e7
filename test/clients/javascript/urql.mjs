// urql as its documentation sets it up: queries over GET, with automatic persisted queries.
import { cacheExchange, Client, fetchExchange, gql } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';

const { GRAPHQL, DELIVERY_KEY } = process.env;
const sent = [];
const clientWith = (more) =>
  new Client({
    url: GRAPHQL,
    exchanges: [cacheExchange, ...more, fetchExchange],
    preferGetMethod: true,
    fetchOptions: { headers: { authorization: `Bearer ${DELIVERY_KEY}` } },
    fetch: async (url, options) => {
      const response = await fetch(url, options);
      sent.push([options.method, response.status]);
      return response;
    },
  });

const titles = gql`
  query Titles($limit: Int!) {
    articleCollection(limit: $limit) {
      items {
        title
      }
    }
  }
`;
const plain = await clientWith([]).query(titles, { limit: 2 }).toPromise();
const persisted = () =>
  clientWith([persistedExchange({ preferGetForPersistedQueries: true })])
    .query(titles, { limit: 3 })
    .toPromise();
const [first, second] = [await persisted(), await persisted()];
const failing = await clientWith([])
  .query(
    gql`
      {
        nothing
      }
    `,
    {},
  )
  .toPromise();
const titlesOf = ({ data, error }) =>
  error?.message ?? data.articleCollection.items.map(({ title }) => title);
console.log(
  JSON.stringify({
    plain: titlesOf(plain),
    persisted: [titlesOf(first), titlesOf(second)],
    failing: failing.error?.graphQLErrors.length,
    sent,
  }),
);
