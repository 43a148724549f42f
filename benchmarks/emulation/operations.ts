import { create, type Lab } from './lab.ts'

export const operations = ['create', 'read', 'update', 'start', 'stop', 'delete', 'list'] as const
export type Operation = (typeof operations)[number]

/** The times of one operation in one round. */
export interface Sample {
  readonly operation: Operation
  /** CPU time of the server, in microseconds for one request. */
  readonly cpu: number
  /** Times that the client measures, one request after the other, in milliseconds. */
  readonly times: readonly number[]
}

/** The number of instances that a round creates, uses and deletes, in addition to the existing ones. */
export const BATCH = 20
const LISTS = 5

export async function runRound(lab: Lab): Promise<readonly Sample[]> {
  const { ask, account, vms } = lab
  const ids: string[] = []
  const samples: Sample[] = []
  const run = async (operation: Operation, count: number, one: (index: number) => Promise<unknown>) => {
    const before = await account()
    const times: number[] = []
    for (let index = 0; index < count; index += 1) {
      const start = performance.now()
      await one(index)
      times.push(performance.now() - start)
    }
    const { cpuMicroseconds } = await account()
    samples.push({ operation, cpu: (cpuMicroseconds - before.cpuMicroseconds) / count, times })
  }
  const path = (index: number) => `${vms}/${ids[index]}`
  await run('create', BATCH, async (index) => {
    ids[index] = await create(lab, `measured${index}`)
  })
  await run('read', BATCH, (index) => ask('GET', path(index)))
  await run('update', BATCH, (index) => ask('PUT', path(index), { name: `renamed${index}` }))
  if (lab.canStart) {
    await run('start', BATCH, (index) => ask('POST', `${path(index)}/start`))
    await run('stop', BATCH, (index) => ask('POST', `${path(index)}/stop`))
  }
  await run('list', LISTS, () => ask('GET', vms))
  await run('delete', BATCH, (index) => ask('DELETE', path(index)))
  return samples
}
