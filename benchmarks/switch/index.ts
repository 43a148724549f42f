import { parseArgs } from 'node:util'
import { cpuMicrosecondsOf, residentBytesOf } from '../process-figures.ts'
import { writeReport } from '../report.ts'
import { type Spread, spreadOf } from '../spread.ts'
import { type AnswersRow, measureAnswers, printAnswers } from './answers.ts'
import { type Contestant, DELAY_MS, gatherContestants } from './contestants.ts'
import { freePorts } from './free-ports.ts'
import { endForwarder, runTraffic, startForwarder, type Traffic, WINDOW } from './processes.ts'
import { compilePrograms, type Programs } from './programs.ts'

export const about =
  'Ethernet frames through the switch, compared with C, vde_switch and the Linux bridge (--seconds, --bytes)'

interface Sample {
  readonly framesPerSecond: number
  readonly lostPercent: number
  /** CPU time of the forwarding process; `undefined` where the kernel forwards in the sender's time. */
  readonly cpuMicroseconds: number | undefined
  readonly p50Microseconds: number
  readonly p99Microseconds: number
  readonly residentMegabytes: number | undefined
}

export interface SwitchRow {
  readonly forwarder: string
  readonly bytes: number
  readonly framesPerSecond: Spread
  readonly lostPercent: number
  readonly cpuMicroseconds: Spread | undefined
  /** At a rate that every forwarder sustains. */
  readonly p50Microseconds: number
  readonly p99Microseconds: number
  /** Memory of the forwarding process. */
  readonly residentMegabytes: number | undefined
}

export interface SwitchResult {
  readonly rows: readonly SwitchRow[]
  readonly absent: readonly string[]
  /** Absent from reports of before these were measured. */
  readonly answers?: readonly AnswersRow[]
}

const QUIET_RATE = 20_000
/** The share of the rate without the delay: frames are lost where they are sent faster than they are read, with any delay. */
const LATE_SHARE = 0.8
/** The traffic runs a tenth longer than the measured time. */
const RUN_FACTOR = 1.1
const WARM_UP_SECONDS = 1.5
/** How much longer the answers of the API are measured than frames, since there are fewer. */
const ANSWERS_FACTOR = 3
interface Load {
  readonly bytes: number
  readonly seconds: number
  /** Frames a second; 0 for as many as possible. */
  readonly rate: number
}

async function measure(programs: Programs, contestant: Contestant, load: Load): Promise<Sample> {
  const { command, ready, ends, prefix = [] } = contestant
  const program = [...prefix, programs.path('traffic')]
  const child = command === undefined ? undefined : await startForwarder(command, ready)
  const run = (traffic: Partial<Traffic>) => runTraffic(program, { ends, window: WINDOW, ...load, ...traffic })
  try {
    // In the first run the JavaScript compiler optimises the code.
    await run({ seconds: WARM_UP_SECONDS, rate: 0 })
    const pid = child?.pid
    const before = pid === undefined ? 0 : cpuMicrosecondsOf(pid)
    const full = await run({})
    const used = pid === undefined ? undefined : cpuMicrosecondsOf(pid) - before
    const quiet = await run({ seconds: load.seconds / 2, rate: QUIET_RATE })
    return {
      framesPerSecond: full.received / full.seconds,
      lostPercent: Math.max(0, 100 * (1 - full.received / full.sent)),
      cpuMicroseconds: used === undefined ? undefined : used / (full.received * RUN_FACTOR),
      p50Microseconds: quiet.p50Microseconds,
      p99Microseconds: quiet.p99Microseconds,
      residentMegabytes: pid === undefined ? undefined : residentBytesOf(pid) / 2 ** 20,
    }
  } finally {
    if (child !== undefined) await endForwarder(child)
  }
}

function summary(forwarder: string, bytes: number, samples: readonly Sample[]): SwitchRow {
  const of = (field: keyof Sample) => spreadOf(samples.map((sample) => sample[field] ?? Number.NaN))
  return {
    forwarder,
    bytes,
    framesPerSecond: of('framesPerSecond'),
    lostPercent: of('lostPercent').median,
    cpuMicroseconds: samples[0]?.cpuMicroseconds === undefined ? undefined : of('cpuMicroseconds'),
    p50Microseconds: of('p50Microseconds').median,
    p99Microseconds: of('p99Microseconds').median,
    residentMegabytes: samples[0]?.residentMegabytes === undefined ? undefined : of('residentMegabytes').median,
  }
}

function print(rows: readonly SwitchRow[], absent: readonly string[]): void {
  console.log(
    'forwarder                   bytes  frames/s (least to most)     lost %  CPU us/frame  of floor   p50 us    p99 us  resident MB',
  )
  const floors = new Map(
    rows.filter(({ forwarder }) => forwarder === 'C, recv and send').map((row) => [row.bytes, row]),
  )
  for (const { forwarder, bytes, framesPerSecond, lostPercent, cpuMicroseconds: cpu, ...others } of rows) {
    const floor = floors.get(bytes)?.framesPerSecond.median ?? Number.NaN
    const { median, least, most } = framesPerSecond
    const cells = [
      forwarder.padEnd(27),
      String(bytes).padStart(5),
      median.toFixed(0).padStart(9),
      `(${least.toFixed(0)} to ${most.toFixed(0)})`.padEnd(20),
      lostPercent.toFixed(2).padStart(6),
      (cpu === undefined ? 'kernel' : cpu.median.toFixed(2)).padStart(13),
      `${((100 * median) / floor).toFixed(0)} %`.padStart(9),
      others.p50Microseconds.toFixed(0).padStart(8),
      others.p99Microseconds.toFixed(0).padStart(9),
      (others.residentMegabytes?.toFixed(0) ?? '').padStart(12),
    ]
    console.log(cells.join(' '))
  }
  for (const reason of absent) console.log(`absent: ${reason}`)
}

/**
 * Measures the frames a second through the Ethernet switch over UDP on one core, by `node:dgram`, by plain JavaScript on the
 * socket's descriptor and in native batches. They are compared with C programs that only receive and send, VDE's switch, and
 * the bridge of the Linux kernel. Then it measures a link with a delay of 10 ms, at four fifths of the rate. All take turns,
 * and the medians of the rounds are printed. At last it measures the answers of a lab's API while 500,000 frames a second
 * are sent to a switch, with the relay on the main thread and in a worker.
 *
 * `--bytes` can be given more than once; 0 leaves the frames out.
 */
export default async function switchBenchmark(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      bytes: { type: 'string', multiple: true, default: ['64', '1400'] },
      json: { type: 'string' },
    },
  })
  const programs = compilePrograms()
  if (programs === undefined) {
    console.log('This benchmark needs a C compiler (Debian packages gcc, libc6-dev).')
    return
  }
  const ends = await freePorts()
  const contestants = gatherContestants(programs, ends)
  const rows: SwitchRow[] = []
  let answers: readonly AnswersRow[] = []
  const seconds = Number(values.seconds)
  try {
    for (const bytes of values.bytes.map(Number).filter((size) => size > 0)) {
      const samples = new Map<string, Sample[]>()
      const add = async (name: string, contestant: Contestant, rate: number) => {
        const sample = await measure(programs, contestant, { bytes, seconds, rate })
        samples.set(name, [...(samples.get(name) ?? []), sample])
        return sample
      }
      for (let round = 0; round < Number(values.rounds); round += 1) {
        const rates = new Map<string, number>()
        for (const contestant of contestants.all) {
          const { framesPerSecond } = await add(contestant.name, contestant, 0)
          rates.set(contestant.name, framesPerSecond)
        }
        for (const late of contestants.late) {
          const rate = Math.floor((rates.get(late.name) ?? 0) * LATE_SHARE)
          await add(`${late.name}, ${DELAY_MS} ms late`, late, rate)
        }
      }
      for (const [name, all] of samples) rows.push(summary(name, bytes, all))
    }
    const [from, to] = ends.map(String)
    if (contestants.hasNative && from !== undefined && to !== undefined) {
      const rounds = Number(values.rounds)
      answers = await measureAnswers({ programs, ends: ['udp', from, to], rounds, seconds: seconds * ANSWERS_FACTOR })
    }
  } finally {
    contestants.remove()
    programs.remove()
  }
  if (rows.length > 0) print(rows, contestants.absent)
  if (answers.length > 0) printAnswers(answers)
  const result: SwitchResult = { rows, absent: contestants.absent, answers }
  writeReport(values.json, 'switch', result)
}
