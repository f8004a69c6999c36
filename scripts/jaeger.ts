import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { jaegerBinary } from './jaeger-build.ts';

/** A real Jaeger that keeps its traces in memory. */
export interface Jaeger {
  /** OTLP/HTTP, for `--otlp`. */
  readonly otlpUrl: string;
  /** Of its query API and page. */
  readonly queryUrl: string;
  stop(): Promise<void>;
}

const startLimitMs = 60_000;

/** Starts it on free ports of 127.0.0.1; builds it first when the cache has none. It stops with this process at the latest. */
export async function startJaeger(): Promise<Jaeger> {
  const binary = await jaegerBinary();
  const folder = await mkdtemp(join(tmpdir(), 'trtscope-jaeger-'));
  const [otlp, http, grpc] = await freePorts(3);
  const config = join(folder, 'config.json');
  await writeFile(
    config,
    JSON.stringify(configuration(`127.0.0.1:${otlp}`, `127.0.0.1:${http}`, `127.0.0.1:${grpc}`)),
  );
  const child = spawn(binary, ['--config', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  const ended = once(child, 'close');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const queryUrl = `http://127.0.0.1:${http}`;
  const deadline = performance.now() + startLimitMs;
  while (!(await answers(`${queryUrl}/api/services`))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`Jaeger did not start: ${said}`);
    }
    await delay(50);
  }
  return { otlpUrl: `http://127.0.0.1:${otlp}`, queryUrl, stop };
}

// A config file is YAML, which JSON is part of.
function configuration(otlp: string, http: string, grpc: string): object {
  return {
    service: {
      extensions: ['jaeger_storage', 'jaeger_query'],
      pipelines: { traces: { receivers: ['otlp'], exporters: ['jaeger_storage_exporter'] } },
      telemetry: { metrics: { level: 'none' }, logs: { level: 'error' } },
    },
    extensions: {
      jaeger_query: { storage: { traces: 'memory' }, http: { endpoint: http }, grpc: { endpoint: grpc } },
      jaeger_storage: { backends: { memory: { memory: { max_traces: 1_000 } } } },
    },
    receivers: { otlp: { protocols: { http: { endpoint: otlp } } } },
    exporters: { jaeger_storage_exporter: { trace_storage: 'memory' } },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}

// All are open at once, so that they differ.
async function freePorts(howMany: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: howMany }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
