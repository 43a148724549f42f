import type { DataPlaneParts } from './serve-data-plane.ts'

/** What a worker gets at its start. */
export interface WorkerParts extends Omit<DataPlaneParts, 'batches'> {
  /** The module of the batches. */
  readonly batchesFile: string | undefined
}
