import { createReadStream, statSync } from 'node:fs';
import http from 'node:http';
import process from 'node:process';

/** The least that node:http can do for a file. Arguments: port and file. */
const [port = '0', file = ''] = process.argv.slice(2);
const size = statSync(file).size;
const ETAG = '"floor"';

http
  .createServer((request, response) => {
    if (request.url === '/healthz') response.end();
    else if (request.headers['if-none-match'] !== undefined) {
      response.writeHead(304, { etag: ETAG });
      response.end();
    } else {
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': size, etag: ETAG });
      createReadStream(file).pipe(response);
    }
  })
  .listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
