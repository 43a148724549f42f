import { expect, it } from 'vitest'
import { machineSettings, routerSettings } from '../../tests/instances.ts'
import { iouEmulator } from '../iou/index.ts'
import { qemuEmulator } from '../qemu/index.ts'
import { hostMegabytes } from './memory-limit.ts'

const imageDirectories = ['/usr/bin']
const image = '/usr/bin/env'

it('a machine is refused with more memory than the limit, by default the memory of the host', async () => {
  const check = async (memoryMegabytes: number, memoryLimitMegabytes?: number) =>
    qemuEmulator({
      imageDirectories,
      ...(memoryLimitMegabytes === undefined ? {} : { memoryLimitMegabytes }),
    }).check?.({ ...machineSettings, memoryMegabytes })
  await expect(check(512, 512)).resolves.toMatchObject({ memoryMegabytes: 512 })
  await expect(check(513, 512)).rejects.toMatchObject({ reason: 'not-allowed', message: /no more than 512 MB/ })
  await expect(check(hostMegabytes() + 1)).rejects.toMatchObject({ reason: 'not-allowed' })
})

it('a router is refused with more memory than the limit', async () => {
  const { check } = iouEmulator({ imageDirectories, memoryLimitMegabytes: 256 })
  await expect(check?.({ ...routerSettings, image, memoryMegabytes: 256 })).resolves.toMatchObject({ image })
  await expect(check?.({ ...routerSettings, image, memoryMegabytes: 257 })).rejects.toMatchObject({
    reason: 'not-allowed',
  })
})
