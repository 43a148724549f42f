import { describe, expect, it } from 'vitest'
import { volumeClonesConformance } from './volume-clones.ts'
import { volumeConditionConformance } from './volume-condition.ts'
import { volumeClonedQuotasConformance } from './volume-directory-clones.ts'
import type { OpenVolume } from './volume-harness.ts'
import { volumeOwnersConformance } from './volume-owners.ts'
import { volumePathsConformance } from './volume-paths.ts'
import { volumeQtreesConformance } from './volume-qtrees.ts'
import { volumeQuotasConformance } from './volume-quotas.ts'
import { volumeWholeClonesConformance } from './volume-whole-clones.ts'

/**
 * Registers Vitest cases for the file system under a volume: space, qtrees, quotas, inspection, clones of files and
 * of the volume, and paths. For what it reports as unsupported, the suite checks that it refuses it.
 */
export function volumeBackendConformance(open: OpenVolume): void {
  describe('volume backend', () => {
    it('returns its space', async () => {
      const { backend } = await open()
      const { size, used, available } = await backend.space()
      expect(size).toBeGreaterThanOrEqual(200 * 2 ** 20)
      expect(available).toBeGreaterThan(128 * 2 ** 20)
      expect(used + available).toBeLessThanOrEqual(size)
    })
  })
  volumeQtreesConformance(open)
  volumeQuotasConformance(open)
  volumeConditionConformance(open)
  volumeOwnersConformance(open)
  volumeClonesConformance(open)
  volumeClonedQuotasConformance(open)
  volumePathsConformance(open)
  volumeWholeClonesConformance(open)
}
