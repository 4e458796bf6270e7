// Apollo Client with its cache and its persisted queries, whose hashes are sent over GET.
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { createHash } from 'node:crypto';

const { GRAPHQL, DELIVERY_KEY } = process.env;
const sent = [];
const http = new HttpLink({
  uri: GRAPHQL,
  headers: { authorization: `Bearer ${DELIVERY_KEY}` },
  fetch: async (url, options) => {
    const response = await fetch(url, options);
    sent.push([options.method, response.status]);
    return response;
  },
});
const persisted = new PersistedQueryLink({
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  useGETForHashedQueries: true,
});
const clientOf = () =>
  new ApolloClient({ link: ApolloLink.from([persisted, http]), cache: new InMemoryCache() });
const query = gql`
  query Titles($limit: Int!) {
    articleCollection(limit: $limit) {
      items {
        _id
        title
      }
    }
  }
`;
const client = clientOf();
const read = (from) => from.query({ query, variables: { limit: 2 } });
const titlesOf = ({ data }) => data.articleCollection.items.map(({ title }) => title);
const first = titlesOf(await read(client));
const cached = titlesOf(await read(client));
const other = titlesOf(await read(clientOf()));
const failing = await client
  .query({
    query: gql`
      {
        nothing
      }
    `,
    errorPolicy: 'all',
  })
  .catch((error) => ({ error }));
console.log(JSON.stringify({ first, cached, other, failing: failing.error?.name, sent }));
