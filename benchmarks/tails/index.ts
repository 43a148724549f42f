import { parseArgs } from 'node:util'
import type { Pauses } from '../measured-process.ts'
import { writeReport } from '../report.ts'
import { allStores, openChat } from './chat.ts'
import { addedOf, generatorFiguresOf, pausesOf, spreadsOf, type TailFigures, type Turn } from './figures.ts'
import { openFrames } from './frames.ts'
import type { OpenRivals, Rivals } from './rivals.ts'
import { openRules } from './rules.ts'

export const about =
  'latencies at a constant rate, half of what one core carries, beside the floor at the same rate (--only chat;stream;rules;frames, --stores sqlite;memory;redis, --against CHECKOUT, --share, --seconds, --rules, --warm-up)'

/** What `--json` writes. */
export type TailsReport = readonly TailFigures[]

/**
 * Sends requests at a constant rate, whether or not earlier ones were answered, and counts each from when it was due. The
 * rate is a share of what one core carries, which is measured first. The server and its floor take turns at the same rate.
 */
export default async function tails(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '10' },
      share: { type: 'string', default: '0.5' },
      'warm-up': { type: 'string', default: '1' },
      rules: { type: 'string', default: '200000' },
      stores: { type: 'string', default: allStores.join(';') },
      against: { type: 'string' },
      only: { type: 'string', default: 'chat;stream;rules;frames' },
    },
  })
  const chosen = values.only.split(';')
  const chats = (['chat', 'stream'] as const).filter((kind) => chosen.includes(kind))
  const stores = allStores.filter((store) => values.stores.split(';').includes(store))
  const kinds: readonly (() => Promise<OpenRivals>)[] = [
    ...(chats.length > 0 ? [() => openChat({ kinds: chats, stores, against: values.against })] : []),
    ...(chosen.includes('rules') ? [() => openRules(Number(values.rules))] : []),
    ...(chosen.includes('frames') ? [openFrames] : []),
  ]
  const run: Run = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    share: Number(values.share),
    warmUp: Number(values['warm-up']),
  }
  const figures: TailFigures[] = []
  for (const open of kinds) {
    const { rivals, close } = await open()
    try {
      const measured: TailFigures[] = []
      for (const one of rivals) measured.push(await measure(one, run))
      print(measured)
      figures.push(...measured)
    } finally {
      await close()
    }
  }
  writeReport(values.json, 'tails', figures satisfies TailsReport)
}

interface Run {
  readonly rounds: number
  readonly seconds: number
  /** Of what one core carries. */
  readonly share: number
  readonly warmUp: number
}

async function measure({ load, server, floor }: Rivals, { rounds, seconds, share, warmUp }: Run): Promise<TailFigures> {
  await floor.capacity(warmUp)
  const perSecond = Math.round((await server.capacity(warmUp)) * share)
  const ours: Turn[] = []
  const floors: Turn[] = []
  const pauses: (Pauses | undefined)[] = []
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await floor.run(perSecond, seconds))
    await server.pauses()
    ours.push(await server.run(perSecond, seconds))
    pauses.push(await server.pauses())
  }
  return {
    load,
    server: server.name,
    floor: floor.name,
    perSecond,
    ours: spreadsOf(ours.map(({ latency }) => latency)),
    ofFloor: spreadsOf(floors.map(({ latency }) => latency)),
    added: addedOf(ours, floors),
    pauses: pausesOf(pauses),
    seconds: rounds * seconds,
    generator: generatorFiguresOf(ours),
  }
}

function print(figures: readonly TailFigures[]): void {
  for (const load of new Set(figures.map((figure) => figure.load))) {
    const here = figures.filter((figure) => figure.load === load)
    console.log(`\n${load}, at a constant rate: ms from when a request was due to the end of its answer`)
    console.table(
      Object.fromEntries(
        here.map(({ server, perSecond, ours, ofFloor, added }) => [
          server,
          {
            'a second': perSecond,
            ...Object.fromEntries(
              (['p50', 'p99', 'p999'] as const).flatMap((name) => [
                [name, ours[name].median.toFixed(3)],
                [`${name} of floor`, ofFloor[name].median.toFixed(3)],
                [`${name} added`, added[name].median.toFixed(3)],
              ]),
            ),
            'p99 added from': added.p99.least.toFixed(3),
            to: added.p99.most.toFixed(3),
          },
        ]),
      ),
    )
    console.log('The generator, and the pauses of the server for its garbage collector:')
    console.table(
      Object.fromEntries(
        here.map(({ server, pauses, seconds, generator: { lateness, waitedPercent, corePercent } }) => [
          server,
          {
            ...(lateness && {
              'late p50 ms': lateness.p50.toFixed(3),
              'late p99 ms': lateness.p99.toFixed(3),
              'late p99.9 ms': lateness.p999.toFixed(3),
            }),
            'waited %': waitedPercent.toFixed(2),
            'core %': corePercent.toFixed(0),
            ...(pauses && {
              'pauses a second': (pauses.count / seconds).toFixed(1),
              'paused %': (pauses.totalMs / seconds / 10).toFixed(2),
              'longest ms': pauses.longestMs.toFixed(1),
            }),
          },
        ]),
      ),
    )
  }
}
