import type { Spread } from '../../benchmarks/spread.ts'
import type { QuantileSpreads } from '../../benchmarks/tails/figures.ts'
import { markdownTable } from './markdown-table.ts'
import { peerTable } from './peers.ts'
import type { Reports } from './reports.ts'
import { summaryRows } from './summary.ts'

const spread = ({ median, least, most }: Spread, digits: number) =>
  `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`
const times = (ratio: Spread | undefined, digits = 2) => (ratio === undefined ? '' : `${ratio.median.toFixed(digits)}×`)
const count = (value: number) => Math.round(value).toLocaleString('en')

/** Writes every table of the document, by the name of its place. */
export function writeTables(reports: Reports): ReadonlyMap<string, string> {
  const {
    gateway,
    tails,
    path,
    workers,
    policies,
    transports,
    storage,
    rules,
    btrfs,
    emulation,
    switch: frames,
    startup,
    databases,
  } = reports
  return new Map([
    ['bars', markdownTable(summaryRows(reports))],
    ['machine', machines(reports)],
    ...gatewayTables(gateway.results),
    ['tails', tailTable(tails.results)],
    ['tails-generator', generatorTable(tails.results)],
    ['peers', peerTable(reports)],
    ['path', pathTable(path.results)],
    ['workers', workersTable(workers.results)],
    ['policies', policyTable(policies.results)],
    ['transports', transportTable(transports.results)],
    ['storage', storageTable(storage.results)],
    ['rules', ruleTable(rules.results)],
    ['btrfs', btrfsTable(btrfs.results)],
    ['emulation', emulationTable(emulation.results)],
    ['switch', switchTable(frames.results)],
    ['answers', answersTable(frames.results)],
    ['startup', startupTable(startup.results)],
    ['databases', databaseTable(databases.results)],
  ])
}

const machines = (reports: Reports): string =>
  markdownTable(
    Object.values(reports).map(({ benchmark, at, machine }) => ({
      benchmark,
      at: at.slice(0, 16).replace('T', ' '),
      processor: `${machine.processor}, ${machine.cores} cores`,
      system: machine.system,
      Node: machine.node,
      'load at its end': machine.load.toFixed(1),
    })),
  )

const requestTable = (results: Reports['gateway']['results']['requests'], load: string): string =>
  markdownTable(
    results
      .filter((result) => result.load === load)
      .map(({ contestant, cpu, ofBare, belowPortkey, p50, p99, residentMegabytes }) => ({
        server: contestant,
        'CPU µs per request (least–most)': cpu === undefined ? '' : spread(cpu, 0),
        'relative to the bare relay': times(ofBare),
        'times less than Portkey': times(belowPortkey, 1),
        'p50 ms': p50.toFixed(1),
        'p99 ms': p99.toFixed(1),
        'resident MB': residentMegabytes?.toFixed(0) ?? '',
      })),
  )

function gatewayTables({
  started,
  requests,
  dialects,
  memory,
}: Reports['gateway']['results']): readonly [string, string][] {
  const loads = [
    ['whole', 'whole'],
    ['stream-at-once', 'stream of 20 without pauses'],
    ['stream-spaced', 'stream of 20, 5 ms apart'],
  ] as const
  return [
    ...loads.map(([place, load]): [string, string] => [`started-${place}`, requestTable(started, load)]),
    ...loads.map(([place, load]): [string, string] => [`gateway-${place}`, requestTable(requests, load)]),
    [
      'gateway-dialects',
      markdownTable(
        dialects.map(({ load, front, upstream, cpu, ofChat }) => ({
          load,
          client: front,
          upstream: front === upstream ? 'the same, relayed' : `${upstream}, translated`,
          'CPU µs per request (least–most)': spread(cpu, 0),
          'relative to chat, relayed': times(ofChat),
        })),
      ),
    ],
    [
      'gateway-memory',
      markdownTable(
        memory.map(({ contestant, heapMegabytes, streams }) => ({
          server: contestant,
          ...Object.fromEntries(
            heapMegabytes.map((heap, part) => [
              `${count((streams / (heapMegabytes.length - 1)) * part)} streams`,
              heap.toFixed(1),
            ]),
          ),
        })),
      ),
    ],
  ]
}

const quantiles = ({ p50, p99, p999 }: QuantileSpreads, digits: number) =>
  [p50, p99, p999].map(({ median }) => median.toFixed(digits)).join(' / ')

/** Frames take thousandths of a millisecond. */
const digitsOf = (load: string): number => (load.startsWith('frames') ? 3 : 2)

const tailTable = (results: Reports['tails']['results']): string =>
  markdownTable(
    results.map(({ load, server, floor, perSecond, ours, ofFloor, added }) => ({
      load,
      server,
      'a second': count(perSecond),
      'p50 / p99 / p99.9 ms': quantiles(ours, digitsOf(load)),
      floor,
      'its p50 / p99 / p99.9 ms': quantiles(ofFloor, digitsOf(load)),
      'added at p50 / p99 / p99.9, ms': quantiles(added, digitsOf(load)),
      'p99 added, least–most': `${added.p99.least.toFixed(digitsOf(load))}–${added.p99.most.toFixed(digitsOf(load))}`,
    })),
  )

const generatorTable = (results: Reports['tails']['results']): string =>
  markdownTable(
    results.map(({ load, server, seconds, pauses, generator: { lateness, waitedPercent, corePercent } }) => ({
      load,
      server,
      'requests late by, p50 / p99 / p99.9 ms':
        lateness === undefined
          ? 'all waited'
          : [lateness.p50, lateness.p99, lateness.p999].map((value) => value.toFixed(digitsOf(load))).join(' / '),
      'waited for a connection %': waitedPercent.toFixed(2),
      'core of the generator %': corePercent.toFixed(0),
      'pauses a second': pauses ? (pauses.count / seconds).toFixed(1) : '',
      'time in pauses %': pauses ? (pauses.totalMs / seconds / 10).toFixed(2) : '',
      'longest pause ms': pauses?.longestMs.toFixed(1) ?? '',
    })),
  )

const pathTable = (results: Reports['path']['results']): string =>
  markdownTable(
    results.map(({ step, cpu, leastQuarter, adds }, index) => ({
      step,
      'CPU µs per request (least–most)': spread(cpu, 0),
      'quarter of the rounds with the least': leastQuarter.toFixed(0),
      adds: index === 0 ? '' : `${adds.toFixed(0)} µs`,
    })),
  )

const workersTable = (results: Reports['workers']['results']): string =>
  markdownTable(
    results.map(({ workers, rate, cpu, cores, rateOfOne, cpuOfOne, p50, p99, residentMegabytes }) => ({
      processes: workers === 1 ? 'one' : `${workers} workers`,
      'requests a second (least–most)': spread(rate, 0),
      'relative to one': times(rateOfOne),
      'CPU µs per request (least–most)': spread(cpu, 0),
      'CPU relative to one': times(cpuOfOne),
      'cores used': cores.median.toFixed(2),
      'p50 ms': p50.toFixed(1),
      'p99 ms': p99.toFixed(1),
      'resident MB': residentMegabytes.toFixed(0),
    })),
  )

const policyTable = (results: Reports['policies']['results']): string =>
  markdownTable(
    results.map(({ keys, cpu, leastTenth, beside }) => ({
      keys,
      'CPU µs per request (least–most)': spread(cpu, 0),
      'tenth of the rounds with the least': leastTenth.toFixed(1),
      'beside keys without rules': `${beside.toFixed(1)} µs`,
    })),
  )

const transportTable = (results: Reports['transports']['results']): string =>
  markdownTable(
    results.map(({ case: name, server, cpu, ofByHand, ofBareNode, p50, p99, residentMegabytes }) => ({
      case: name,
      server,
      'CPU µs per request (least–most)': spread(cpu, 1),
      'relative to routes by hand': times(ofByHand),
      'relative to bare Node': times(ofBareNode),
      'p50 ms': p50.toFixed(2),
      'p99 ms': p99.toFixed(2),
      'resident MB': residentMegabytes.toFixed(0),
    })),
  )

const storageTable = ({ requests }: Reports['storage']['results']): string =>
  markdownTable(
    requests.map(({ request, store, server, p50, p95, p99, cpu, residentMegabytes }) => ({
      request,
      server: `${store}, ${server}`,
      'p50 ms': p50.toFixed(1),
      'p95 ms': p95.toFixed(1),
      'p99 ms': p99.toFixed(1),
      'CPU ms of the server (least–most)': spread(cpu, 1),
      'resident MB': residentMegabytes.toFixed(0),
    })),
  )

const ruleTable = ({ pages }: Reports['rules']['results']): string =>
  markdownTable(
    pages.map(({ request, store, p50, p95, cpu }) => ({
      page: request,
      store,
      'p50 ms': p50.toFixed(1),
      'p95 ms': p95.toFixed(1),
      'CPU ms of the server (least–most)': spread(cpu, 1),
    })),
  )

const btrfsTable = ({ work }: Reports['btrfs']['results']): string =>
  markdownTable(
    work.map(({ work: name, elapsed, cpu }) => ({
      work: name,
      'ms (least–most)': spread(elapsed, 0),
      'CPU ms, with the programs (least–most)': spread(cpu, 1),
    })),
  )

const emulationTable = ({ operations }: Reports['emulation']['results']): string =>
  markdownTable(
    operations.map(({ operation, server, instances, cpuMicroseconds, p50Ms, p99Ms }) => ({
      operation,
      server,
      instances: count(instances),
      'CPU µs per request (least–most)': spread(cpuMicroseconds, 0),
      'p50 ms': p50Ms.toFixed(2),
      'p99 ms': p99Ms.toFixed(2),
    })),
  )

const answersTable = ({ answers = [] }: Reports['switch']['results']): string =>
  answers.length === 0
    ? 'Not measured yet.'
    : markdownTable(
        answers.map(({ thread, offered, carried, p50Ms, p99Ms, longestMs, ...others }) => ({
          'frames in': thread === 'main' ? 'the main thread' : 'a worker',
          'offered a second': count(offered),
          'carried a second': count(carried),
          answers: count(others.answers),
          'p50 ms': p50Ms.toFixed(2),
          'p99 ms': p99Ms.toFixed(2),
          'longest ms': longestMs.toFixed(2),
        })),
      )

const switchTable = ({ rows }: Reports['switch']['results']): string =>
  markdownTable(
    rows.map(({ forwarder, bytes, framesPerSecond, lostPercent, cpuMicroseconds, ...others }) => ({
      forwarder,
      bytes: count(bytes),
      'frames a second (least–most)': `${count(framesPerSecond.median)} (${count(framesPerSecond.least)}–${count(framesPerSecond.most)})`,
      'CPU µs per frame': cpuMicroseconds === undefined ? 'in the kernel' : spread(cpuMicroseconds, 2),
      'lost %': lostPercent.toFixed(2),
      'p50 µs': others.p50Microseconds.toFixed(0),
      'p99 µs': others.p99Microseconds.toFixed(0),
      'resident MB': others.residentMegabytes?.toFixed(0) ?? '',
    })),
  )

const startupTable = ({ packages }: Reports['startup']['results']): string =>
  markdownTable(
    packages.map(({ package: name, cpu, weight, budget }) => ({
      package: name,
      'import, CPU ms (least–most)': spread(cpu, 0),
      'limit ms': count(budget?.importMs ?? Number.NaN),
      'packed kB': `${count(weight?.packedKilobytes ?? Number.NaN)} of ${count(budget?.packedKilobytes ?? Number.NaN)}`,
      'unpacked kB': `${count(weight?.unpackedKilobytes ?? Number.NaN)} of ${count(budget?.unpackedKilobytes ?? Number.NaN)}`,
      dependencies: `${weight?.dependencies} of ${budget?.dependencies}`,
      'their kB': `${count(weight?.dependenciesKilobytes ?? Number.NaN)} of ${count(budget?.dependenciesKilobytes ?? Number.NaN)}`,
    })),
  )

const databaseTable = (results: Reports['databases']['results']): string =>
  markdownTable(
    results.map(({ store, operation, p50Ms, p99Ms, cpuMicroseconds, floor }) => ({
      store,
      operation,
      'CPU µs (least–most)': spread(cpuMicroseconds, 0),
      'p50 ms': p50Ms.toFixed(3),
      'p99 ms': p99Ms.toFixed(3),
      'driver alone, CPU µs': floor?.cpuMicroseconds.median.toFixed(0) ?? '',
      'relative to the driver': floor ? `${(cpuMicroseconds.median / floor.cpuMicroseconds.median).toFixed(2)}×` : '',
    })),
  )
