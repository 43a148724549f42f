import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { errorMessage } from '../../../components/error-note.tsx'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { useDiskImages } from '../disk-images/use-disk-images.ts'
import type { Kind } from './kinds.ts'

/** What the server has for the kinds that need other programs. */
export interface Availability {
  /** Why instances of a kind cannot be created. */
  readonly missing: Readonly<Partial<Record<Kind, string>>>
  readonly machinePrograms: readonly string[]
  readonly desktopVmNames: readonly string[]
  /** The names of the disk images; empty where the server refuses to list them. */
  readonly diskImages: readonly string[]
}

/**
 * Reads what the server has.
 *
 * @param kind the kind that is shown: a server without VirtualBox refuses to list VMs, so they are listed only for their
 * own kind. Disk images are listed for the kinds that start from them
 */
export function useAvailability(kind: Kind): Availability {
  const emulation = useEmulation()
  const programs = useQuery({
    queryKey: ['emulation', 'machine programs'],
    queryFn: ({ signal }) => expectOk(emulation.listEmu1Binaries({ signal })),
  })
  const names = useQuery({
    queryKey: ['emulation', 'desktop VM names'],
    queryFn: ({ signal }) => expectOk(emulation.listEmu4Names({ signal })),
    enabled: kind === 'emu4',
  })
  const images = useDiskImages({ enabled: kind === 'emu1' || kind === 'emu2' })
  const noMachine = missingReason(programs, 'The server has no QEMU program.')
  const noDesktopVm = missingReason(names, 'VirtualBox has no machine on the server.')
  return {
    missing: { ...(noMachine && { emu1: noMachine }), ...(noDesktopVm && { emu4: noDesktopVm }) },
    machinePrograms: (programs.data ?? []).map(({ path }) => path),
    desktopVmNames: names.data ?? [],
    diskImages: (images.data ?? []).flatMap(({ state, name }) => (state === 'ready' ? [name] : [])),
  }
}

function missingReason({ data, error }: UseQueryResult<readonly unknown[]>, emptyReason: string): string | undefined {
  if (error) return errorMessage(error)
  return data?.length === 0 ? emptyReason : undefined
}
