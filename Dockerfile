# The service without the embedded database: it needs DATABASE_URL and SESSION_JWT_SECRET.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY src/admin/package.json ./src/admin/
COPY test/bench/package.json ./test/bench/
RUN npm ci
COPY tsconfig.json README.md CHANGELOG.md ./
COPY contracts ./contracts
COPY openapi ./openapi
COPY src ./src
RUN npm run package -- --no-embedded

FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY --from=build /build/dist/package/headwater ./
RUN npm ci --omit=dev --ignore-scripts --legacy-peer-deps
# Compiled code for the first start: of the user and with the flags of the command below.
RUN mkdir dist/build/compile-cache && chown node:node dist/build/compile-cache
USER node
RUN node --max-semi-space-size=16 dist/main.js --load && chmod -R a+rX dist/build/compile-cache

FROM node:24-bookworm-slim
# With more arenas, glibc keeps more memory that is free.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 HEADWATER_DATA_DIR=/data MALLOC_ARENA_MAX=1
COPY --from=install /app /app
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "/app/dist/main.js"]
