// What a program does with the two packages, for any release line of OpenTelemetry: node program.ts RECORDING OTLP_URL
import { readFileSync } from 'node:fs';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { decodeEvents, replaySource, startBuild } from '@trtscope/core';
import { traceBuild } from '@trtscope/otel';
import type { TraceOptions } from '@trtscope/otel';
import { startTelemetry } from '@trtscope/otel/sdk';

const [recording = '', url = ''] = process.argv.slice(2);
const telemetry = await startTelemetry({ url });
const options: TraceOptions = { ...telemetry.traceOptions, parent: ROOT_CONTEXT, tracerProvider: trace };
const build = startBuild(replaySource(decodeEvents(readFileSync(recording, 'utf8')), { speed: 'max' }));
const { spanContext, done } = traceBuild(build, options);
await done;
await telemetry.shutdown();
console.log(spanContext.traceId);
