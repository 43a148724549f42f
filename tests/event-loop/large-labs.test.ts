import { embeddedLab } from '@trivium/embedded-emulators'
import { createEmulation, type Emulation, type ProjectId } from '@trivium/emulation-core'
import { emulationRoutes } from '@trivium/emulation-core/http'
import { memoryEmulationRepositories } from '@trivium/emulation-core/memory'
import { type InstanceRecord, withProjectDefaults } from '@trivium/emulation-core/ports'
import { fetchHandler } from '@trivium/fetch-adapter'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateEmulation, sqlEmulationRepositories } from '@trivium/sql-repositories/emulation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { longestBlockMs } from './longest-block.ts'

/** The limit that `docs/security.md` promises. */
const MAX_BLOCK_MS = 100

/** One less than the most projects of a server. */
const PROJECTS = 9999

/** A lab as large as people build them. A project can have ten times as many instances. */
const NODES = 1000

const uuid = (group: number, index: number) =>
  `${`${group}`.repeat(8)}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
const project = uuid(1, 0) as ProjectId
const base = `/v1/projects/${project}`

describe.each(['memory', 'SQLite'])('the emulation with large labs in %s', (store) => {
  let emulation: Emulation
  let handle: ReturnType<typeof fetchHandler>

  const call = async (method: string, path: string, body?: unknown) => {
    const init = { method, headers: { authorization: 'Bearer x' } }
    const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
    const answer = await handle(new Request(`http://127.0.0.1${path}`, sent))
    await answer?.arrayBuffer()
    return answer?.status
  }

  beforeAll(async () => {
    const database = store === 'SQLite' ? await openDatabase('sqlite::memory:') : undefined
    if (database) await migrateEmulation(database)
    const repositories = database ? sqlEmulationRepositories(database) : memoryEmulationRepositories()
    const createdAt = new Date(0)
    for (let index = 0; index < PROJECTS; index += 1) {
      const id = uuid(1, index) as ProjectId
      const description = 'What the lab shows, in a sentence or two, as people write it. '.repeat(3)
      const path = `/projects/${id}`
      await repositories.projects.add({
        ...withProjectDefaults({ id, path, name: `Lab ${index}`, temporary: false, createdAt, revision: 0 }),
        description,
        status: 'closed',
      })
    }
    for (let index = 0; index < NODES; index += 1) {
      const record: InstanceRecord<'virtual-pc'> = {
        // Ids are opaque to repositories.
        id: uuid(2, index) as never,
        projectId: project,
        kind: 'virtual-pc',
        name: `PC${index}`,
        settings: { console: 20_000 + index },
        slot: index,
        arrangement: { x: index, y: index, symbol: 'host' },
        connections: [],
        processes: [],
        createdAt,
        revision: 0,
      }
      await repositories.instances.add(record)
    }
    emulation = createEmulation({ ...embeddedLab(), repositories })
    await emulation.start()
    handle = fetchHandler(emulationRoutes(emulation, { admin: () => true }))
    expect(await call('POST', `${base}/open`)).toBe(200)
  }, 120_000)
  afterAll(() => emulation.close())

  const places = (x: number) => ({
    nodes: Array.from({ length: NODES }, (_, index) => ({ node_id: uuid(2, index), x })),
  })

  it.each([
    { name: 'the list of all projects', method: 'GET', path: '/v1/projects', body: undefined },
    { name: 'the list of its nodes', method: 'GET', path: `${base}/nodes`, body: undefined },
    { name: 'its topology', method: 'GET', path: `${base}/topology`, body: undefined },
    { name: 'places of 1,000 nodes', method: 'PUT', path: `${base}/nodes`, body: places(5) },
  ])('blocks it for less than 100 ms of CPU time by $name', async ({ name, method, path, body }) => {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 4 && least >= MAX_BLOCK_MS / 2; round += 1) {
      least = Math.min(least, await longestBlockMs(async () => expect(await call(method, path, body)).toBe(200)))
    }
    console.info(`${store}, ${name}: the longest block of the event loop is ${least.toFixed()} ms`)
    expect(least).toBeLessThan(MAX_BLOCK_MS)
  }, 60_000)

  it('blocks it for less than 100 ms of CPU time by a close, an opening and a copy', async () => {
    for (const verb of ['close', 'duplicate', 'open']) {
      const block = await longestBlockMs(async () =>
        expect([200, 201, 204]).toContain(await call('POST', `${base}/${verb}`)),
      )
      console.info(`${store}, ${verb}: the longest block of the event loop is ${block.toFixed()} ms`)
      expect(block).toBeLessThan(MAX_BLOCK_MS)
    }
  }, 60_000)
})
