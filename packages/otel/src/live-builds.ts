import type { Meter, ObservableGauge } from '@opentelemetry/api';
import { BoundedNames } from './bounded-names.ts';
import { attributes, metrics } from './semconv.ts';

/** A build that runs, as gauges see it whenever they are read. */
export interface LiveBuild {
  readonly network: string | undefined;
  readonly progress: number | undefined;
  /** How long TensorRT has made no callback in a live phase; 0 without one. */
  readonly quietNs: number;
}

/** The builds of a process that run, of which gauges tell the slowest and the most silent. */
export class LiveBuilds {
  readonly #live = new Set<LiveBuild>();
  readonly #ended = new Map<string | undefined, number>();
  readonly #names = new BoundedNames();

  constructor(meter: Meter) {
    gauge(meter, metrics.buildProgress).addCallback((result) => {
      for (const [network, progress] of this.#progress()) {
        result.observe(progress, network === undefined ? {} : { [attributes.networkName.name]: network });
      }
      this.#ended.clear();
    });
    gauge(meter, metrics.buildQuiet).addCallback((result) => {
      result.observe(Math.max(0, ...[...this.#live].map((build) => build.quietNs)) / 1e9);
    });
  }

  add(build: LiveBuild): void {
    this.#live.add(build);
  }

  /** Its progress is read once more: an SDK goes on telling the last value, which is then that of the end. */
  end(build: LiveBuild): void {
    if (!this.#live.delete(build) || build.progress === undefined) return;
    this.#ended.set(this.#keptName(build), build.progress);
  }

  #progress(): ReadonlyMap<string | undefined, number> {
    const least = new Map(this.#ended);
    for (const build of this.#live) {
      if (build.progress === undefined) continue;
      const network = this.#keptName(build);
      least.set(network, Math.min(build.progress, least.get(network) ?? 1));
    }
    return least;
  }

  #keptName({ network }: LiveBuild): string | undefined {
    return network === undefined ? undefined : this.#names.of(network);
  }
}

function gauge(
  meter: Meter,
  { name, unit, brief }: { readonly name: string; readonly unit: string; readonly brief: string },
): ObservableGauge {
  return meter.createObservableGauge(name, { unit, description: brief });
}
