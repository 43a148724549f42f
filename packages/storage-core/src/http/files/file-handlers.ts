import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/caller.ts'
import { showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { notFound, toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { volumeSource } from '../volumes/volume-records.ts'
import type { fileOperations } from './file-operations.ts'
import { fileSource } from './file-records.ts'

export function fileHandlers({ storage }: HandlerOptions): Handlers<typeof fileOperations, Caller> {
  const { files, volumes } = storage
  const ofVolume = volumeSource(storage)
  return {
    getVolumeFile: (call) =>
      showRecord(call, fileSource, () =>
        volumes
          .find(call.params.volume_uuid)
          .mapErr(toFailure)
          .andThen(ifVisible(call.caller, ofVolume, notFound('uuid')))
          .andThen(({ uuid }) => files.find(uuid, call.params.path).mapErr(toFailure)),
      ),
  }
}
