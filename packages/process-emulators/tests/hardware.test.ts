import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { DiskInterface, MachineSettings } from '@trivium/emulation-core/ports'
import { expect, it, onTestFinished } from 'vitest'
import { isAlive } from '../src/processes/process-identity.ts'
import { qemuEmulator } from '../src/qemu/index.ts'
import { createBenchNetwork } from './bench-network.ts'
import { printingCdrom, printingDisk } from './boot-images.ts'
import { freeTcpPort } from './free-tcp-port.ts'
import { createRecorder, instanceOf, machineSettings } from './instances.ts'
import { describeWith } from './require-programs.ts'
import { scratchDirectory } from './scratch-directory.ts'
import { createTerminal } from './terminal.ts'

interface Images {
  readonly disk?: string
  readonly cdrom?: string
}

/** Starts a machine with a disk and a CD-ROM that print these texts. */
async function boot(changes: Partial<MachineSettings>, { disk, cdrom }: Images, shutdownTimeoutMs = 30_000) {
  const images = await scratchDirectory()
  if (disk !== undefined) await writeFile(join(images, 'disk.img'), printingDisk(disk))
  if (cdrom !== undefined) await writeFile(join(images, 'cd.iso'), printingCdrom(cdrom))
  const emulator = qemuEmulator({ imageDirectories: [images], acceleration: 'tcg', shutdownTimeoutMs })
  const instance = instanceOf('machine', await scratchDirectory(), {
    ...machineSettings,
    monitor: await freeTcpPort(),
    adapters: 0,
    ...(disk !== undefined && { primaryDisk: 'disk.img' }),
    ...(cdrom !== undefined && { cdromImage: 'cd.iso' }),
    ...changes,
  })
  const running = await emulator.start(instance, createBenchNetwork().wiring('one', []), createRecorder())
  onTestFinished(() => running.stop())
  return { running, instance, terminal: createTerminal(running.console) }
}

describeWith(['qemu-system-x86_64', 'qemu-img'], 'the hardware of a machine', () => {
  it.each<DiskInterface>([
    'ide',
    'sata',
    'scsi',
    'virtio',
    'nvme',
  ])('starts from a first disk on the bus %s', async (primaryDiskInterface) => {
    const { terminal } = await boot({ primaryDiskInterface }, { disk: 'from the disk' })
    await terminal.waitFor('from the disk')
  })

  it('attaches a disk of the interface none by a device of the options', async () => {
    const detached = { primaryDiskInterface: 'none' } as const
    const { terminal } = await boot({ ...detached, options: '-device ide-hd,drive=hda' }, { disk: 'from the disk' })
    await terminal.waitFor('from the disk')
  })

  it('starts from all four disks in place of the first, each on its own bus', async () => {
    const disk = 'disk.img'
    const { terminal } = await boot(
      {
        secondaryDisk: disk,
        tertiaryDisk: disk,
        quaternaryDisk: disk,
        primaryDiskInterface: 'nvme',
        secondaryDiskInterface: 'virtio',
        tertiaryDiskInterface: 'scsi',
        quaternaryDiskInterface: 'sata',
      },
      { disk: 'from a disk' },
    )
    await terminal.waitFor('from a disk')
  })

  it.each([
    ['d', 'from the CD-ROM'],
    ['dc', 'from the CD-ROM'],
    ['cd', 'from the disk'],
  ] as const)('starts in the boot order %s', async (bootPriority, words) => {
    const { terminal } = await boot({ bootPriority }, { disk: 'from the disk', cdrom: 'from the CD-ROM' })
    expect(await terminal.waitFor(/from the \S+\n/)).toContain(words)
  })

  it('runs the BIOS of its settings', async () => {
    const images = await scratchDirectory()
    // At its last 16 bytes, where a processor starts: out 3f8, 'B', then a halt.
    const bios = Buffer.alloc(65_536, 0xf4)
    bios.set([0xba, 0xf8, 0x03, 0xb0, 0x42, 0xee, 0xf4], 65_520)
    await writeFile(join(images, 'bios.bin'), bios)
    const emulator = qemuEmulator({ imageDirectories: [images], acceleration: 'tcg' })
    const settings = { ...machineSettings, monitor: await freeTcpPort(), adapters: 0, biosImage: 'bios.bin' }
    const instance = instanceOf('machine', await scratchDirectory(), settings)
    const running = await emulator.start(instance, createBenchNetwork().wiring('one', []), createRecorder())
    onTestFinished(() => running.stop())
    await createTerminal(running.console).waitFor('B')
  })

  it('ends a guest that ignores its power button after the time that the host allows', async () => {
    const { running, terminal } = await boot({ closeAction: 'shutdown-signal' }, { disk: 'from the disk' }, 200)
    await terminal.waitFor('from the disk')
    const [process] = running.processes
    if (process === undefined) throw new Error('There is no process')
    await running.suspend?.()
    await running.stop()
    expect(await isAlive(process)).toBe(false)
  })

  it('opens its display for viewers of VNC on a socket, and no TCP port', async () => {
    const { running, terminal } = await boot({ consoleType: 'vnc' }, { disk: 'from the disk' })
    await terminal.waitFor('from the disk')
    let received = ''
    const closed = new Promise<void>((resolve, reject) => {
      running.display
        ?.connect({
          data: (bytes) => {
            received += Buffer.from(bytes).toString('latin1')
          },
          closed: resolve,
        })
        .catch(reject)
    })
    await expect.poll(() => received).toBe('RFB 003.008\n')
    await running.stop()
    await closed
    await expect(running.display?.connect({ data: () => {}, closed: () => {} })).rejects.toMatchObject({
      reason: 'unavailable',
    })
  })

  it('answers viewers of SPICE at its display, and opens no port', async () => {
    const console = await freeTcpPort()
    const { running, terminal } = await boot({ consoleType: 'spice+agent', console }, { disk: 'from the disk' })
    await terminal.waitFor('from the disk')
    expect(running.display?.protocol).toBe('spice')
    const refused = connect(console, '127.0.0.1')
    await new Promise((resolve) => refused.once('error', resolve))

    let received = ''
    const viewer = await running.display?.connect({
      data: (bytes) => {
        received += Buffer.from(bytes).toString('latin1')
      },
      closed: () => {},
    })
    // A link message for the main channel: version 2.2, and a body of 18 bytes without capabilities.
    const link = Buffer.alloc(34)
    link.write('REDQ', 'latin1')
    for (const [at, value] of [2, 2, 18].entries()) link.writeUInt32LE(value, 4 + 4 * at)
    link.writeUInt8(1, 20)
    link.writeUInt32LE(18, 30)
    viewer?.write(link)
    await expect.poll(() => received.slice(0, 4)).toBe('REDQ')
  })
})
