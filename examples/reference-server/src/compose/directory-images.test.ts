import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { imageStoreConformance } from '@trivium/gateway-core/conformance'
import { directoryImages } from './directory-images.ts'

imageStoreConformance((replicas) => {
  const directory = join(mkdtempSync(join(tmpdir(), 'trivium-images-')), 'images')
  return Array.from({ length: replicas }, () => directoryImages({ directory, durability: 'power' }))
})
