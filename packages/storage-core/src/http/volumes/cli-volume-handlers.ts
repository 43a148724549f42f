import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/caller.ts'
import { listRecords } from '../collections/list-records.ts'
import type { HandlerOptions } from '../handler-options.ts'
import type { cliVolumeOperations } from './cli-volume-operations.ts'
import { cliVolumeSource } from './cli-volume-records.ts'

export function cliVolumeHandlers({ storage }: HandlerOptions): Handlers<typeof cliVolumeOperations, Caller> {
  const source = cliVolumeSource(storage)
  return { listCliVolumes: (call) => listRecords(call, source) }
}
