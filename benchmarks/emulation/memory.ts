import { create, type Lab } from './lab.ts'

export interface MemoryFigures {
  readonly instances: number
  /** Kilobytes for each instance, of the heap after a collection and of the whole process. */
  readonly stoppedHeap: number
  readonly stoppedResident: number
  readonly startedHeap: number
  readonly startedResident: number
  readonly emptyResidentMegabytes: number
}

/** Fills the lab, and starts and stops each instance once. */
export async function fillMeasured(lab: Lab, instances: number): Promise<MemoryFigures> {
  const { ask, account, vms } = lab
  const empty = await account('collected')
  const ids: string[] = []
  for (let index = 0; index < instances; index += 1) ids.push(await create(lab, `PC${index}`))
  const stopped = await account('collected')
  for (const id of ids) await ask('POST', `${vms}/${id}/start`)
  const started = await account('collected')
  for (const id of ids) await ask('POST', `${vms}/${id}/stop`)
  const kilobytes = (now: number, before: number) => (now - before) / 1024 / instances
  return {
    instances,
    stoppedHeap: kilobytes(stopped.heapBytes, empty.heapBytes),
    stoppedResident: kilobytes(stopped.residentBytes, empty.residentBytes),
    startedHeap: kilobytes(started.heapBytes, empty.heapBytes),
    startedResident: kilobytes(started.residentBytes, empty.residentBytes),
    emptyResidentMegabytes: empty.residentBytes / 2 ** 20,
  }
}
