import { describe, expect, it } from 'vitest'
import { createLab, createStores, type Lab } from '../../tests/lab.ts'
import type { InstanceId } from '../instances/instance.ts'
import type { ProjectId } from './project.ts'

const id = '11111111-1111-4111-8111-111111111111' as ProjectId
const copyId = '99999999-9999-4999-8999-999999999999' as ProjectId
const pc = (digit: string) =>
  ({ projectId: id, kind: 'virtual-pc', id: `${digit.repeat(8)}-2222-4222-8222-222222222222` as InstanceId }) as const
const nic = { adapter: 0, port: 0 }

const udp = (localPort: number, remotePort: number) =>
  ({ type: 'udp', localPort, remoteHost: '127.0.0.1', remotePort }) as const

type Stores = ReturnType<typeof createStores>

/** Lets the process die before its next write after `writes` ones: nothing is written afterwards, not even to undo. */
function dyingStores(stores: Stores, writes: number) {
  const life = { left: Number.POSITIVE_INFINITY, died: false }
  const mortal = <T extends object>(store: T): T =>
    new Proxy(store, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...values: unknown[]) => {
          if (/^(find|list|read|has|instancePath|removals|captures)/.test(String(name)) && !life.died)
            return Reflect.apply(method, target, values)
          if (life.left === 0) life.died = true
          if (life.died) throw new Error('The process was killed.')
          life.left -= 1
          return Reflect.apply(method, target, values)
        }
      },
    })
  const files = mortal(stores.files)
  return {
    life,
    kill: () => {
      life.left = writes
    },
    stores: {
      repositories: {
        ...stores.repositories,
        projects: mortal(stores.repositories.projects),
        instances: mortal(stores.repositories.instances),
      },
      files: Object.assign(Object.create(files), {
        location: stores.files.location,
        instancePath: stores.files.instancePath,
      }) as Stores['files'],
    },
  }
}

async function fill({ emulation: { projects, instances, connections } }: Lab) {
  await projects.create({ id, name: 'Lab' })
  for (const digit of ['2', '3', '4'])
    await instances.create({ ...pc(digit), name: `PC${digit}`, settings: {}, text: digit })
  await connections.connect(pc('2'), nic, { nio: udp(10_000, 10_001) })
  await connections.connect(pc('3'), nic, { nio: udp(10_001, 10_000) })
}

/** What people see of a lab. */
async function pictureOf({ emulation }: Lab, projectId: ProjectId) {
  const instances = (await emulation.instances.list(projectId))._unsafeUnwrap()
  const links = (await emulation.links.list(projectId))._unsafeUnwrap()
  return {
    instances: instances.map(({ name, text, state }) => [name, text, state]),
    links: links.map(({ ends }) => ends.map(({ instance }) => instance.name)),
  }
}

const whole = {
  instances: ['2', '3', '4'].map((digit) => [`PC${digit}`, digit, 'stopped']),
  links: [['PC2', 'PC3']],
}

/** Runs an operation in a process that is killed after each number of writes. @returns how many rounds that were */
async function killAtEveryWrite(
  prepare: (lab: Lab) => Promise<unknown>,
  operate: (lab: Lab) => Promise<unknown>,
  check: (next: Lab, stores: Stores) => Promise<void>,
): Promise<number> {
  for (let writes = 0; ; writes += 1) {
    const stores = createStores()
    const process = dyingStores(stores, writes)
    const lab = createLab({}, process.stores)
    await fill(lab)
    await prepare(lab)
    process.kill()
    await operate(lab).catch(() => {})
    const next = createLab({}, stores)
    expect((await next.emulation.start()).problems).toEqual([])
    await check(next, stores)
    if (!process.life.died) return writes + 1
  }
}

describe('a server that is killed at each of its writes', () => {
  it('leaves a project open or closed, and whole', async () => {
    const statuses = new Set<string>()
    const rounds = await killAtEveryWrite(
      async ({ emulation }) => {
        for (const digit of ['2', '3']) await emulation.lifecycle.start(pc(digit))
        await emulation.captures.start(pc('2'), nic, { fileName: 'a.pcap' })
      },
      async ({ emulation }) => emulation.projects.close(id),
      async (next) => {
        statuses.add((await next.emulation.projects.find(id))._unsafeUnwrap().status)
        expect(await pictureOf(next, id)).toEqual(whole)
        expect((await next.emulation.projects.open(id)).isOk()).toBe(true)
        expect(await pictureOf(next, id)).toEqual(whole)
      },
    )
    expect(rounds).toBeGreaterThan(2)
    expect(statuses).toEqual(new Set(['opened', 'closed']))
  })

  it('leaves a project whole that it was opening with other ports', async () => {
    const statuses = new Set<string>()
    const rounds = await killAtEveryWrite(
      async ({ emulation, ports }) => {
        await emulation.projects.close(id)
        await ports.claim('console', 2000)
        await ports.claim('udp', 10_000)
      },
      async ({ emulation }) => emulation.projects.open(id),
      async (next) => {
        statuses.add((await next.emulation.projects.find(id))._unsafeUnwrap().status)
        expect(await pictureOf(next, id)).toMatchObject({ instances: whole.instances })
        expect((await next.emulation.projects.open(id)).isOk()).toBe(true)
        expect(await pictureOf(next, id)).toEqual(whole)
      },
    )
    expect(rounds).toBeGreaterThan(3)
    expect(statuses).toEqual(new Set(['opened', 'closed']))
  })

  it('leaves a whole copy of a project or none', async () => {
    const counts = new Set<number>()
    const rounds = await killAtEveryWrite(
      async () => {},
      async ({ emulation }) => emulation.projects.duplicate(id, { id: copyId }),
      async (next, stores) => {
        const projects = await next.emulation.projects.list()
        counts.add(projects.length)
        expect(await pictureOf(next, id)).toEqual(whole)
        if (projects.length === 2) {
          await next.emulation.projects.open(copyId)
          expect(await pictureOf(next, copyId)).toEqual(whole)
        } else {
          expect(await stores.repositories.instances.list({ projectId: copyId })).toEqual([])
          expect(await stores.files.findProjects(copyId)).toEqual([])
          expect((await next.emulation.projects.duplicate(id, { id: copyId })).isOk()).toBe(true)
        }
      },
    )
    expect(rounds).toBeGreaterThan(8)
    expect(counts).toEqual(new Set([1, 2]))
  })
})
