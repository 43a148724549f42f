import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { type Instance, instanceParams } from '../kinds/instance.ts'
import { resourceReaderOf } from '../kinds/operations.ts'
import { type Usage, usageAfter } from './usage.ts'

/** No activity reports what an instance uses. */
const POLL_MS = 3000

/**
 * Reads what a running instance uses, every 3 seconds while the page is visible. `undefined` until it is read, and where
 * the server does not know it.
 */
export function useUsage(instance: Instance): Usage | undefined {
  const emulation = useEmulation()
  const read = resourceReaderOf(emulation, instance.kind)
  const { data } = useQuery({
    queryKey: ['emulation', 'usage', instance.id],
    queryFn: async ({ client, queryKey, signal }) => {
      if (read === undefined) return null
      const { cpu_seconds, memory_bytes } = await expectOk(read({ params: instanceParams(instance), signal }))
      if (cpu_seconds === null || memory_bytes === null) return null
      const before = client.getQueryData<Usage | null>(queryKey) ?? undefined
      return usageAfter(before, { atMs: performance.now(), cpuSeconds: cpu_seconds, memoryBytes: memory_bytes })
    },
    enabled: read !== undefined,
    // The emulator of an instance does not change while it runs.
    refetchInterval: ({ state }) => (state.data === null ? false : POLL_MS),
    // The next run of the instance begins with a CPU time of 0.
    gcTime: 0,
  })
  return data ?? undefined
}
