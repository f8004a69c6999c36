import type { Attributes, Span } from '@opentelemetry/api';
import type { BuildEvent, CancelReason, CancelReport, PhaseTree } from '@trtscope/core';
import { attributes, events } from './semconv.ts';

/** Puts a moment of a cancel on the build's span as an event; does nothing for any other event. `at` makes span times. */
export function addCancelMoment(
  span: Span,
  event: BuildEvent,
  tree: PhaseTree,
  at: (timeNs: number) => Parameters<Span['end']>[0],
): void {
  if (event.type === 'cancel.requested') {
    span.addEvent(
      events.cancelRequested.name,
      reasonAttributes(event.reason),
      at(event.reason.requestedAtNs),
    );
  } else if (event.type === 'cancel.escalated') {
    span.addEvent(
      events.cancelEscalated.name,
      { [attributes.cancelEscalation.name]: event.to },
      at(event.timeNs),
    );
  } else if (event.type === 'cancel.acknowledged') {
    const phase = event.phase === undefined ? undefined : tree.get(event.phase)?.name;
    span.addEvent(events.cancelAcknowledged.name, answerAttributes({ ...event, phase }), at(event.timeNs));
  }
}

/** The whole report, as the build's span has it. */
export function cancelAttributes(cancel: CancelReport): Attributes {
  const { acknowledged, phasePath, step, temporariesRemoved, timingCacheSaved, later } = cancel;
  return {
    ...reasonAttributes(cancel),
    [attributes.cancelRequestedAt.name]: cancel.requestedAtNs / 1e9,
    ...(phasePath.length > 0 && {
      [attributes.cancelPhase.name]: phasePath.at(-1),
      [attributes.cancelPhasePath.name]: [...phasePath],
    }),
    ...(step !== undefined && { [attributes.cancelStep.name]: step }),
    ...(acknowledged && {
      ...answerAttributes(acknowledged),
      [attributes.cancelAcknowledgedAfter.name]: (acknowledged.atNs - cancel.requestedAtNs) / 1e9,
    }),
    [attributes.cancelLatency.name]: cancel.latencyNs / 1e9,
    [attributes.cancelEscalation.name]: cancel.escalation,
    ...(temporariesRemoved.length > 0 && {
      [attributes.cancelTemporariesRemoved.name]: [...temporariesRemoved],
    }),
    ...(timingCacheSaved !== undefined && { [attributes.cancelTimingCacheSaved.name]: timingCacheSaved }),
    ...(later.length > 0 && { [attributes.cancelLater.name]: later.map(({ source }) => source) }),
    [attributes.cancelTooLate.name]: cancel.tooLate,
  };
}

function reasonAttributes({ source, message, detail }: CancelReason): Attributes {
  return {
    [attributes.cancelSource.name]: source,
    [attributes.cancelMessage.name]: message,
    ...(detail !== undefined && { [attributes.cancelDetail.name]: detail }),
  };
}

interface Answer {
  readonly by: string;
  readonly phase?: string | undefined;
  readonly step?: number;
}

function answerAttributes({ by, phase, step }: Answer): Attributes {
  return {
    [attributes.cancelAcknowledgedBy.name]: by,
    ...(phase !== undefined && { [attributes.cancelAcknowledgedPhase.name]: phase }),
    ...(step !== undefined && { [attributes.cancelAcknowledgedStep.name]: step }),
  };
}
