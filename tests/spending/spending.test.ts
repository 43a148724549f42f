import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createGateway, type Gateway, type Nanodollars, StoreFailure } from '@trivium/gateway-core'
import type { AccountId, Budget } from '@trivium/gateway-core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisAnswers, redisUrl } from '../../packages/redis-repositories/tests/test-redis.ts'
import { sharedDatabases } from '../../packages/sql-repositories/tests/test-databases.ts'
import { openSpendingStore } from './spending-store.ts'

/** Requests of all processes together. The figure of docs/governance.md was measured with 100,000. */
const REQUESTS = Number(process.env.TRIVIUM_SPENDING_REQUESTS ?? 2_000)
const PROCESSES = 4
const program = fileURLToPath(new URL('spending-process.ts', import.meta.url))

const [sqlite] = sharedDatabases
const stores = [
  ...sharedDatabases.map((kind) => ({ name: kind.name, kind, redis: '' })),
  ...(sqlite && redisAnswers
    ? [
        {
          name: 'Redis, with records in SQLite',
          kind: sqlite,
          redis: `${redisUrl}#trivium-test:${randomBytes(8).toString('hex')}:`,
        },
      ]
    : []),
]

const spend = (dollars: number, period: 'day' | 'month' | 'total'): Budget => ({
  spend: { most: Math.round(dollars * 1e9) as Nanodollars, period }, // a whole number
})

describe.each(stores)('processes that are killed while they spend money in $name', { timeout: 1_800_000 }, ({
  kind,
  redis,
}) => {
  let close: () => Promise<void> = async () => {}
  let gateway: Gateway
  let accounts: ReadonlyMap<AccountId, number>
  /** The most that was ever seen above a budget. */
  let excess = 0
  let ended = 0
  let kills = 0
  /** Exit codes of processes that have ended by themselves. */
  const exits: number[] = []

  beforeAll(async () => {
    const fresh = await kind.create()
    const url = fresh.url ?? ''
    const store = await openSpendingStore(url, redis)
    gateway = createGateway({ repositories: store.repositories, providers: [] })
    close = async () => {
      await gateway.close()
      await store.close()
      await fresh.remove()
    }
    // Of REQUESTS at about 2 thousandths of a dollar each, those of the team fit, until it has spent its budget.
    const scale = REQUESTS / 2_000
    const team = (
      await gateway.groups.create({ kind: 'team', name: 'red', budget: spend(1.5 * scale, 'month') })
    )._unsafeUnwrap()
    const user = (
      await gateway.groups.create({ kind: 'user', name: 'ada', budget: spend(1.2 * scale, 'total') })
    )._unsafeUnwrap()
    const budgets = [0.3, 0.5, 0.7].map((dollars) => dollars * scale)
    const keys = await Promise.all(
      budgets.map(async (dollars, index) => {
        const owner = index < 2 ? { username: 'ada' } : { username: 'bob' }
        const issued = await gateway.apiKeys.generate({
          ...owner,
          teamId: team.id,
          rateLimit: 100_000,
          budget: spend(dollars, index === 0 ? 'day' : 'total'),
        })
        return issued._unsafeUnwrap().key
      }),
    )
    accounts = new Map<AccountId, number>([
      ...keys.map(({ id, budget }) => [id, budget.spend?.most ?? 0] as const),
      [`team:${team.id}` as AccountId, team.budget.spend?.most ?? 0], // the id of its account
      [`person:${user.id}` as AccountId, user.budget.spend?.most ?? 0], // likewise
    ])
    await spendThroughKills([url, redis, ...keys.map(({ id }) => id)])
    await recover(store.repositories)
  }, 1_800_000)
  afterAll(() => close())

  async function spendThroughKills(args: readonly string[]): Promise<void> {
    const processes = new Set<ChildProcess>()
    const start = () => {
      const child = fork(program, [...args], {
        execArgv: ['--conditions=@trivium/source'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      child.on('message', () => {
        ended += 1
      })
      child.on('exit', (code) => {
        if (code !== null) exits.push(code)
      })
      processes.add(child)
    }
    for (let index = 0; index < PROCESSES; index += 1) start()
    for (let next = REQUESTS / 8; ended < REQUESTS; ) {
      await setTimeout(50)
      if (exits.length > 0) throw new Error(`A process has ended with the code ${exits[0]}.`)
      // On a busy machine a store may take longer than its time limit.
      await look().catch((error: unknown) => {
        if (!StoreFailure.is(error)) throw error
      })
      if (ended < next) continue
      next += REQUESTS / 8
      const [oldest] = processes
      if (!oldest) continue
      processes.delete(oldest)
      oldest.kill('SIGKILL')
      await once(oldest, 'exit')
      kills += 1
      start()
    }
    await Promise.all(
      [...processes].map(async (child) => {
        const exit = once(child, 'exit')
        child.kill('SIGKILL')
        await exit
        kills += 1
      }),
    )
  }

  async function look(): Promise<void> {
    for (const [id, most] of accounts) {
      const { spent, reservedCost } = await gateway.budgets.inspect({ id })
      excess = Math.max(excess, spent.total + reservedCost - most)
    }
  }

  /** Completes what the killed processes left behind, with a clock at which their reservations have expired. */
  async function recover(repositories: Parameters<typeof createGateway>[0]['repositories']): Promise<void> {
    if (!repositories) throw new TypeError('The store has no repositories.')
    for (const minutes of [5, 10]) {
      const later = createGateway({ repositories, providers: [], now: () => new Date(Date.now() + minutes * 60_000) })
      await later.budgets.recover()
      await later.close()
    }
  }

  it('spends never more than the budgets of key, team and user', async () => {
    await look()
    expect(kills).toBeGreaterThanOrEqual(PROCESSES + 4)
    expect(ended).toBeGreaterThanOrEqual(REQUESTS)
    expect(excess).toBeLessThanOrEqual(0)
  })

  it('uses the budgets up to less than the most that one more request can cost', async () => {
    for (const [id, most] of accounts) {
      const { spent } = await gateway.budgets.inspect({ id })
      if (id.startsWith('team:')) expect(spent.total).toBeGreaterThan(most * 0.5)
      expect(spent.total).toBeGreaterThan(0)
    }
  })

  it('leaves nothing reserved and nothing running', async () => {
    for (const id of accounts.keys()) {
      expect(await gateway.budgets.inspect({ id })).toMatchObject({ reservedCost: 0, reserved: 0 })
    }
  })

  it('has records whose costs add up to the ledger, to the billionth of a dollar', async () => {
    const report = { from: new Date(0), to: new Date(Date.now() + 3_600_000), limit: 10_000 }
    const admin = { type: 'admin' } as const
    const byKey = (await gateway.usage.summarize(admin, { ...report, groupBy: ['key'] }))._unsafeUnwrap()
    const [all] = (await gateway.usage.summarize(admin, { ...report, groupBy: [] }))._unsafeUnwrap()
    let sum = 0n
    for (const id of accounts.keys()) {
      const { spent } = await gateway.budgets.inspect({ id })
      if (id.startsWith('team:')) expect(all?.cost).toBe(BigInt(spent.total))
      if (id.includes(':')) continue
      expect(byKey.find(({ keyId }) => keyId === id)?.cost).toBe(BigInt(spent.total))
      sum += BigInt(spent.total)
    }
    expect(all?.cost).toBe(sum)
    const people = (await gateway.usage.summarize(admin, { ...report, groupBy: ['user'] }))._unsafeUnwrap()
    for (const [id] of accounts) {
      if (!id.startsWith('person:')) continue
      const { spent } = await gateway.budgets.inspect({ id })
      expect(people.find(({ personId }) => `person:${personId}` === id)?.cost).toBe(BigInt(spent.total))
    }
  })
})
