import type { Deps } from '../context.ts'
import type { Admission } from './admission.ts'

/** Counters of this process in the Prometheus text format. */
export type Metrics = {
  count: (method: string, status: number, milliseconds: number) => void
  write: () => string
}

export function createMetrics(
  { chains, live }: Pick<Deps, 'chains' | 'live'>,
  admission: Pick<Admission, 'lanes'>,
): Metrics {
  const requests = new Map<string, number>()
  let seconds = 0
  return {
    count(method, status, milliseconds) {
      const key = `method="${method}",status="${status}"`
      requests.set(key, (requests.get(key) ?? 0) + 1)
      seconds += milliseconds / 1000
    },
    write() {
      const lines = [
        '# TYPE countersign_requests_total counter',
        ...[...requests].map(([labels, count]) => `countersign_requests_total{${labels}} ${count}`),
        '# TYPE countersign_request_seconds_total counter',
        `countersign_request_seconds_total ${seconds.toFixed(3)}`,
        '# TYPE countersign_live_streams gauge',
        `countersign_live_streams ${live.size()}`,
        '# TYPE countersign_requests_running gauge',
        ...admission.lanes().map(({ name, running }) => `countersign_requests_running{lane="${name}"} ${running}`),
        '# TYPE countersign_requests_waiting gauge',
        ...admission.lanes().map(({ name, waiting }) => `countersign_requests_waiting{lane="${name}"} ${waiting}`),
        '# TYPE countersign_chain_ok gauge',
        ...[...chains].map(
          ([chainId, { status }]) => `countersign_chain_ok{chain="${chainId}"} ${status === 'ok' ? 1 : 0}`,
        ),
        '# TYPE countersign_resident_bytes gauge',
        `countersign_resident_bytes ${process.memoryUsage.rss()}`,
      ]
      return `${lines.join('\n')}\n`
    },
  }
}
