import net from 'node:net';
import process from 'node:process';

/** Answers the first bytes of each connection with the refusal of the service, and nothing else. */
const [port = '0'] = process.argv.slice(2);
const body = JSON.stringify({
  error: 'service_unavailable',
  message: 'The service is temporarily unavailable.',
});
const refusal = [
  'HTTP/1.1 503 Service Unavailable',
  'Connection: close',
  'Content-Type: application/json; charset=utf-8',
  `Content-Length: ${String(Buffer.byteLength(body))}`,
  '',
  body,
].join('\r\n');

net
  .createServer((socket) => {
    socket.once('data', () => socket.end(refusal, 'latin1'));
    socket.on('error', () => undefined);
  })
  .listen(Number(port), '127.0.0.1', 2048);
