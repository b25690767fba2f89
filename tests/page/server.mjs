// A real server on free ports with a data folder of its own.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A folder of trace samples, such as xtuner/run1. */
export const sample = (name) => join(ROOT, 'formats/src/test/resources/samples', name);

const PATIENCE_MS = 60_000;

export class Server {
  constructor(data, options) {
    this.data = data;
    this.options = options;
  }

  /** @param options further ones, such as '--token', 'T' */
  static async start(...options) {
    const server = new Server(await mkdtemp(join(tmpdir(), 'rollscope-page-')), options);
    await server.open('0');
    return server;
  }

  async open(port) {
    const ports = ['--port', port, '--otlp-http-port', '0', '--otlp-grpc-port', '0'];
    await this.rollscope('server', 'start', '--detach', '--data', this.data, ...ports, ...this.options);
    const status = JSON.parse(await this.rollscope('server', 'status', '--data', this.data, '--format', 'json'));
    this.pid = status.pid;
    this.url = status.url;
    this.otlp = status.otlp_http;
  }

  async rollscope(...words) {
    const { stdout } = await run(join(ROOT, 'rollscope'), words, { maxBuffer: 1 << 26 });
    return stdout;
  }

  async import(folder, ...options) {
    await this.rollscope('import', folder, '--url', this.url, '--quiet', ...options);
  }

  async stop() {
    await this.rollscope('server', 'stop', '--data', this.data, '--quiet');
  }

  /** Stops it and starts it again where it was. */
  async restart(whileDown = async () => {}) {
    const { port } = new URL(this.url);
    await this.stop();
    await whileDown();
    await this.open(port);
  }

  async close() {
    await this.stop();
    await rm(this.data, { recursive: true, force: true });
  }

  async get(path, parameters = {}) {
    const answer = await fetch(`${this.url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  /** Sends OTLP/JSON: signal is 'traces' or 'logs'. */
  async send(signal, body) {
    const answer = await fetch(`${this.otlp}/v1/${signal}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${signal}: ${answer.status} ${await answer.text()}`);
  }
}

/** Asks until the check passes; fails with its last error. */
export async function eventually(check, patienceMs = PATIENCE_MS) {
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      return await check();
    } catch (cause) {
      if (Date.now() > end) throw cause;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}
