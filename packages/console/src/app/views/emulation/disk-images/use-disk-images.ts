import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { type EmulationClient, useEmulation } from '../../../hooks/use-emulation.ts'
import { topicKey } from '../../../live/topic-key.ts'

const readImages = (emulation: EmulationClient, signal: AbortSignal) => expectOk(emulation.listDiskImages({ signal }))

export type DiskImage = Awaited<ReturnType<typeof readImages>>[number]
export type ReadyImage = Extract<DiskImage, { readonly state: 'ready' }>

/** Reads the images and unfinished uploads of the server. @param options `enabled` is `true` by default */
export function useDiskImages({ enabled = true }: { readonly enabled?: boolean } = {}) {
  const emulation = useEmulation()
  return useQuery({
    queryKey: topicKey('emulation', 'disk-images'),
    queryFn: ({ signal }) => readImages(emulation, signal),
    enabled,
  })
}
