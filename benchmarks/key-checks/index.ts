import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import type { GatewayRepositories } from '@trivium/gateway-core/ports'
import { adminCheck } from '@trivium/http-contract'
import { localProvider } from '@trivium/local-provider'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
import { writeReport } from '../report.ts'
import { percentile } from '../spread.ts'
import { guessesOf } from './guesses.ts'
import { WELCH_LIMIT, welch } from './welch.ts'

export const about = 'whether the time of a refusal depends on how similar a guessed key or password is (--samples)'

export interface GuessResult {
  readonly store: string
  readonly guess: string
  readonly medianMicroseconds: number
  /** The distance from the first guess of its group, in standard errors. */
  readonly distance: number | undefined
}

const KEYS = 200
const PASSWORD = 'correct-horse-battery-staple'

const WARM_UP_SHARE = 0.1

/** The share of samples that is used. The slowest ones were delayed by other work of the machine. */
const KEPT_SHARE = 0.9

export default async function keyChecks(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { json: { type: 'string' }, samples: { type: 'string', default: '20000' } },
  })
  const samples = Number(values.samples)
  const directory = mkdtempSync(join(tmpdir(), 'trivium-bench-'))
  const database = await openDatabase(`sqlite:${join(directory, 'bench.db')}`)
  try {
    await migrateGateway(database)
    const results = [
      ...(await measure('memory', memoryGatewayRepositories(), samples)),
      ...(await measure('SQLite file', sqlGatewayRepositories(database), samples)),
    ]
    print(results)
    writeReport(values.json, 'key-checks', results)
  } finally {
    await database.close()
    rmSync(directory, { recursive: true })
  }
}

async function measure(
  store: string,
  repositories: GatewayRepositories,
  samples: number,
): Promise<readonly GuessResult[]> {
  const gateway = createGateway({ repositories, providers: [localProvider()] })
  const handle = fetchHandler(gatewayRoutes(gateway, { admin: adminCheck(PASSWORD) }))
  const secrets: string[] = []
  const replaced: string[] = []
  for (let index = 0; index < KEYS; index += 1) {
    const { key, secret } = (await gateway.apiKeys.generate({ username: `user ${index}` }))._unsafeUnwrap()
    replaced.push(secret)
    secrets.push((await gateway.apiKeys.rotate(key.id))._unsafeUnwrap().secret)
  }
  const rounds = Math.ceil(samples * (1 + WARM_UP_SHARE))
  const taken = guessesOf(secrets, replaced, PASSWORD).map((guess) => ({
    guess,
    // Made in advance, since making a header would affect the time of its check.
    headers: Array.from({ length: rounds }, guess.header),
    times: [] as number[],
  }))
  const refusal = async (authorization = ''): Promise<number> => {
    const request = new Request('http://127.0.0.1/v1/models', { headers: { authorization } })
    const start = performance.now()
    const response = await handle(request)
    const time = performance.now() - start
    if (response?.status !== 401) throw new Error(`a guess was answered with ${response?.status}`)
    return time * 1000
  }
  for (let round = 0; round < rounds; round += 1) {
    // A random order, so that no guess always follows the same one.
    for (const { headers, times } of shuffled(taken)) {
      const time = await refusal(headers[round])
      if (round >= rounds - samples) times.push(time)
    }
  }
  await gateway.close()
  return taken.map(({ guess, times }) => {
    const first = taken.find((one) => one.guess.group === guess.group)
    return {
      store,
      guess: guess.name,
      medianMicroseconds: percentile(times, 0.5),
      distance: !first || first.guess === guess ? undefined : distance(times, first.times),
    }
  })
}

function distance(times: readonly number[], first: readonly number[]): number {
  const most = percentile([...times, ...first], KEPT_SHARE)
  return welch(
    times.filter((time) => time <= most),
    first.filter((time) => time <= most),
  )
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

function print(results: readonly GuessResult[]): void {
  console.log(`\nrefusals of wrong credentials: an absolute distance over ${WELCH_LIMIT} is a difference`)
  console.table(
    results.map(({ store, guess, medianMicroseconds, distance: far }) => ({
      store,
      guess,
      'median µs': medianMicroseconds.toFixed(2),
      distance: far === undefined ? 'reference' : far.toFixed(2),
    })),
  )
}
