import type { Attributes } from '@opentelemetry/api';
import type { Build, BuildResult } from '@trtscope/core';
import { cancelAttributes } from './cancel-trace.ts';
import { attributes } from './semconv.ts';
import { buildSpanName, stem } from './span-name.ts';

export function buildName({ subject: { model, output, command } }: Build): string {
  const name = model ?? output ?? command;
  return buildSpanName(name === undefined ? undefined : stem(name));
}

export function subjectAttributes({ id, subject: { model, output } }: Build): Attributes {
  return {
    [attributes.buildId.name]: id,
    ...(model !== undefined && { [attributes.networkName.name]: stem(model) }),
    ...(output !== undefined && { [attributes.filePath.name]: output }),
  };
}

export function resultAttributes(result: BuildResult): Attributes {
  const { tensorrt, cancel } = result;
  const engine = result.outcome === 'built' ? result.engine : undefined;
  return {
    [attributes.buildResult.name]: result.outcome,
    [attributes.buildSteps.name]: result.counts.steps,
    [attributes.buildPhases.name]: result.counts.phases,
    ...(tensorrt && {
      [attributes.version.name]: tensorrt.version,
      [attributes.edition.name]: tensorrt.edition,
    }),
    ...(engine && {
      [attributes.engineSize.name]: engine.bytes,
      [attributes.filePath.name]: engine.path,
    }),
    ...(result.outcome === 'failed' && { [attributes.errorType.name]: result.error.code }),
    ...(cancel && cancelAttributes(cancel)),
  };
}
