import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnServer, ownServers } from '../../../../packages/sql-repositories/tests/own-servers.ts'
import { createLab, type Instance, type Lab, openTerminal, vmPlug } from '../emulation/lab.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { startLoad } from './background-load.ts'

const NEW_INSTANCES = 12

// Vitest fails a file without tests.
if (ownServers.length === 0) it.skip('needs PostgreSQL or MariaDB', () => undefined)

describe.each(ownServers)('labs while their $name is unavailable', { timeout: 120_000 }, (kind) => {
  let database: OwnServer
  let server: ServerProcess
  let lab: Lab
  const pcs: Instance[] = []

  beforeAll(async () => {
    database = await kind.create()
    await database.start()
    server = await startServer({ environment: { DATABASE_URL: database.url } })
    lab = await createLab(server)
    for (const index of [1, 2]) {
      const script = `set pcname %h\nip 10.0.0.${index}/24\n`
      pcs.push(await lab.create('emu3', { name: `PC${index}`, startup_script: script }))
    }
    const [first = '', second = ''] = pcs.map(({ vm_id: id }) => id)
    await lab.cable(vmPlug('emu3', first), vmPlug('emu3', second))
    for (const id of [first, second]) await lab.start('emu3', id)
  }, 120_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await database?.remove()
  })

  const statusOf = async (answer: Promise<Response>): Promise<number> => {
    const response = await answer
    await response.arrayBuffer()
    return response.status
  }
  const path = () => `${lab.path}/emu3/vms/${pcs[0]?.vm_id}`
  const startLoads = () => [
    startLoad(() => statusOf(server.ask(path()))),
    startLoad(() => statusOf(server.ask(path(), { method: 'PUT', body: { name: 'PC1' } }))),
    startLoad(() => statusOf(server.ask(`${lab.path}/links`))),
    startLoad(() => statusOf(server.ask('/v1/projects'))),
  ]

  const ping = async (): Promise<string> => {
    const terminal = await openTerminal(pcs[0]?.console ?? 0)
    try {
      const mark = randomUUID()
      await terminal.run(`echo ${mark}`, new RegExp(`\\n${mark}\\s+PC1>`))
      terminal.type('ping 10.0.0.2 -c 1')
      await terminal.until(/ping [^\n]*\n/)
      return await terminal.until(/PC1>/)
    } finally {
      terminal.close()
    }
  }

  it('continue to run, answer 503, and are served again as soon as it is back', async () => {
    const loads = startLoads()
    await Promise.all(loads.map((load) => load.until(200, 20)))
    await database.kill()
    await Promise.all(loads.map((load) => load.until(503, 5)))
    const refused = await server.ask(path())
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('x-route')).toBe('/v1/projects/{project_id}/emu3/vms/{vm_id}')
    expect(await refused.json()).toEqual({ message: 'The store is unavailable.', status: 503 })
    expect(await statusOf(server.ask('/v1/version'))).toBe(200)
    expect(await ping()).toContain('84 bytes from 10.0.0.2')
    await database.start()
    await Promise.all(loads.map((load) => load.until(200, 20)))
    await Promise.all(loads.map((load) => load.stop()))
    for (const { counts } of loads) expect([...counts.keys()].sort()).toEqual([200, 503])
    expect(await (await server.ask(`${path()}/status`)).json()).toMatchObject({ status: 'started' })
    expect(await ping()).toContain('84 bytes from 10.0.0.2')
  })

  it('contain each instance once whose creation clients repeat until it is answered, each with a port of its own', async () => {
    const ids = Array.from({ length: NEW_INSTANCES }, () => randomUUID())
    let made = 0
    const order = async (id: string) => {
      for (;;) {
        const status = await statusOf(
          server.ask(`${lab.path}/emu3/vms`, { method: 'POST', body: { vm_id: id, name: 'PC' } }),
        )
        if (status === 201) break
        expect(status).toBe(503)
      }
      made += 1
    }
    const early = ids.splice(0, 4)
    const orders = early.map(order)
    while (made === 0) await new Promise(setImmediate)
    await database.kill()
    orders.push(...ids.map(order))
    expect(await statusOf(server.ask('/v1/projects'))).toBe(503)
    await database.start()
    await Promise.all(orders)
    const instances: readonly Instance[] = await (await server.ask(`${lab.path}/emu3/vms`)).json()
    expect(instances).toHaveLength(2 + NEW_INSTANCES)
    expect(new Set(instances.map((instance) => instance.console)).size).toBe(2 + NEW_INSTANCES)
  })

  it('return after a crash of both processes, stopped and with the same ports', async () => {
    await database.kill()
    await server.kill()
    await database.start()
    server = await server.restart()
    const instances: readonly Instance[] = await (await server.ask(`${lab.path}/emu3/vms`)).json()
    expect(instances).toHaveLength(2 + NEW_INSTANCES)
    expect(instances.find(({ name }) => name === 'PC1')).toMatchObject({ console: pcs[0]?.console })
    expect(await (await server.ask(`${path()}/status`)).json()).toMatchObject({ status: 'stopped' })
    for (const { vm_id: id } of pcs) {
      expect(await statusOf(server.ask(`${lab.path}/emu3/vms/${id}/start`, { method: 'POST' }))).toBeLessThan(300)
    }
    expect(await ping()).toContain('84 bytes from 10.0.0.2')
  })

  it('end with the server, also while the database is unavailable', async () => {
    await database.kill()
    expect(await server.stop()).toBe(0)
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(pcs[0]?.console ?? 0, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
    })
    expect(isOpen).toBe(false)
  })
})
