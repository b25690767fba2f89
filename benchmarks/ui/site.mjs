// Serves ui/dist as the server does, and generated answers in place of its API.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { BATCHES, liveDelta, liveSnapshot, occupancy, RUN, timeline } from './answers.mjs';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2' };

/** @returns its address, a way to send one live update to all readers, and a way to stop it */
export async function openSite(dist, { spans, sessions }) {
  const timelines = new Map(['session', 'worker'].map((by) => [by, Buffer.from(JSON.stringify(timeline(spans, by)))]));
  const readers = new Set();
  let updates = 0;

  const json = (response, body) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://bench');
    const what = url.pathname.replace(/^\/api\/v1\/runs\/?/, '');
    if (url.pathname === '/api/v1/runs') json(response, { runs: [RUN], next_cursor: null });
    else if (what === 'bench') json(response, RUN);
    else if (what === 'bench/timeline') json(response, timelines.get(url.searchParams.get('by') ?? 'session') ?? Buffer.alloc(0));
    else if (what === 'bench/batches') json(response, BATCHES);
    else if (what === 'bench/occupancy') json(response, occupancy());
    else if (what === 'bench/live/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: snapshot\ndata: ${JSON.stringify(liveSnapshot(sessions))}\n\n`);
      readers.add(response);
      request.on('close', () => readers.delete(response));
    } else if (url.pathname.startsWith('/api/')) {
      response.writeHead(404).end('{"error":{"code":"not_found","message":"not part of this benchmark"}}');
    } else await sendFile(dist, url.pathname, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    sendUpdate(changed) {
      const text = `event: delta\ndata: ${JSON.stringify(liveDelta(sessions, ++updates, changed))}\n\n`;
      for (const reader of readers) reader.write(text);
    },
    close() {
      for (const reader of readers) reader.end();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function sendFile(dist, path, response) {
  const file = join(dist, path === '/' ? 'index.html' : normalize(path.replace(/^\/page\//, '/')));
  const known = await stat(file).catch(() => null);
  if (!known?.isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(response);
}
