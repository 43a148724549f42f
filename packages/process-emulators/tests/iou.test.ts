import { chmod, readFile, writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import type { NicAddress, RouterSettings } from '@trivium/emulation-core/ports'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type IouEmulatorOptions, iouEmulator } from '../src/iou/index.ts'
import { isAlive } from '../src/processes/process-identity.ts'
import { createBenchNetwork } from './bench-network.ts'
import { createRecorder, instanceOf, routerSettings } from './instances.ts'
import { reportSkipped } from './require-programs.ts'
import { writeRunnableImage } from './runnable-image.ts'
import { scratchDirectory } from './scratch-directory.ts'
import { createTerminal } from './terminal.ts'

const ROUTER = `
[ "$1" = -h ] && echo '-l            Enable Layer 1 keepalive messages' && exit
echo "$@" > arguments
echo "$IOURC" > licence
echo Press RETURN to get started
while read line; do echo "you typed: $line"; done
`
const IOUYAP = `#!/bin/sh
echo "$@" > iouyap-arguments
cp iouyap.ini configuration.0
count=0
trap 'count=$((count + 1)); cp iouyap.ini configuration.$count' HUP
while :; do sleep 0.05; done
`

/** Creates everything that a start requires, with the given replacements. */
async function lab({ router = ROUTER, iouyap = IOUYAP, options = {} as Partial<IouEmulatorOptions> } = {}) {
  const [images, programs, directory] = [await scratchDirectory(), await scratchDirectory(), await scratchDirectory()]
  await writeRunnableImage(join(images, 'router.bin'))
  await writeFile(join(directory, 'stand-in.sh'), router)
  await writeFile(join(programs, 'iouyap'), iouyap)
  await chmod(join(programs, 'iouyap'), 0o755)
  await writeFile(join(programs, 'iourc'), '[license]\nlab = 0123456789abcdef;\n')
  const emulator = iouEmulator({
    imageDirectories: [images],
    programDirectories: [programs],
    licence: join(programs, 'iourc'),
    hostName: 'lab',
    ...options,
  })
  const network = createBenchNetwork()
  const recorder = createRecorder()
  const start = async (changes: Partial<RouterSettings> = {}, slot = 7) => {
    const settings = { ...routerSettings, ...changes }
    const nics: NicAddress[] = []
    for (let adapter = 0; adapter < settings.ethernetAdapters + settings.serialAdapters; adapter += 1) {
      for (let port = 0; port < 4; port += 1) nics.push({ adapter, port })
    }
    const instance = instanceOf('router', directory, settings, { slot })
    const running = await emulator.start(instance, network.wiring('router', nics), recorder)
    onTestFinished(() => running.stop())
    return running
  }
  return {
    emulator,
    network,
    recorder,
    start,
    images,
    directory,
    read: (name: string) => readFile(join(directory, name), 'utf8'),
  }
}

if (arch() !== 'x64' || platform() !== 'linux')
  reportSkipped('routers', 'the substitute for an image is for x86-64 Linux')
else
  describe('routers as processes', () => {
    it('run with their arguments, their files and their console', async () => {
      const { network, recorder, start, directory, read } = await lab()
      await writeFile(join(directory, 'initial-config.cfg'), 'hostname R1\n')
      await writeFile(join(directory, 'nvram_00001'), 'saved')
      network.cable('router', 'elsewhere')
      const running = await start({ ethernetAdapters: 3, keepalives: true })

      const terminal = createTerminal(running.console)
      await terminal.waitFor('Press RETURN to get started')
      terminal.type('show version\n')
      await terminal.waitFor('you typed: show version')
      expect(await read('arguments')).toBe('-e 3 -c initial-config.cfg -l 7\n')
      expect(await read('licence')).toMatch(/iourc\n$/)
      expect(await read('nvram_00007')).toBe('saved')
      expect(await read('NETMAP')).toContain('519:0/0    7:0/0\n')
      expect(await read('iouyap-arguments')).toBe('-q 519\n')
      expect(await read('configuration.0')).toMatch(/^\[519:0\/0\]\ntunnel_udp = \d+:127\.0\.0\.1:\d+$/m)
      expect(network.plugs()).toBe(1)

      expect(running.processes).toHaveLength(2)
      expect(recorder.last()).toEqual(expect.arrayContaining([...running.processes]))
      expect(await running.resources?.()).toMatchObject({ memoryBytes: expect.any(Number) })
      const processes = running.processes
      await running.stop()
      expect(await running.exited).toMatchObject({ signal: 'SIGTERM' })
      for (const process of processes) expect(await isAlive(process)).toBe(false)
      expect(network.plugs()).toBe(0)
    })

    it('apply changes of their links while they run', async () => {
      const { network, start, read } = await lab()
      const running = await start()
      expect(network.plugs()).toBe(0)
      const nic = { adapter: 2, port: 3 }
      await running.nicChanged?.(nic, { connected: true, linkUp: true })
      expect(network.plugs()).toBe(1)
      await expect.poll(() => read('configuration.1').catch(() => '')).toContain('[519:2/3]\ntunnel_udp = ')
      await running.nicChanged?.(nic, { connected: true, linkUp: false })
      await running.nicChanged?.(nic, { connected: false, linkUp: true })
      expect(network.plugs()).toBe(0)
      await expect.poll(() => read('configuration.2').catch(() => 'none')).not.toContain('tunnel_udp')
    })

    it('report their end, and end their helper with it', async () => {
      const { network, start } = await lab({ router: 'echo hello; read line; echo bye >&2; exit 3' })
      const running = await start()
      const [, helper] = running.processes
      createTerminal(running.console).type('x\n')
      expect(await running.exited).toEqual({ exitCode: 3, log: 'bye' })
      expect(helper && (await isAlive(helper))).toBe(false)
      await running.nicChanged?.({ adapter: 0, port: 0 }, { connected: true, linkUp: true })
      expect(network.plugs()).toBe(0)
    })

    it('reject a start that ends immediately, with their output', async () => {
      const { network, recorder, start } = await lab({ router: 'echo no luck >&2; exit 1' })
      await expect(start()).rejects.toMatchObject({ reason: 'failed', message: expect.stringContaining('no luck') })
      const helperless = await lab({ iouyap: '#!/bin/sh\necho no links >&2; exit 1\n' })
      await expect(helperless.start()).rejects.toMatchObject({
        reason: 'failed',
        message: expect.stringContaining('no links'),
      })
      for (const process of [...recorder.last(), ...helperless.recorder.last()])
        expect(await isAlive(process)).toBe(false)
      expect([network.plugs(), helperless.network.plugs()]).toEqual([0, 0])
    })

    it('refuse keepalives that the image lacks', async () => {
      const { start } = await lab({ router: '[ "$1" = -h ] && exit; read line' })
      await expect(start({ keepalives: true })).rejects.toMatchObject({
        reason: 'unsupported',
        message: expect.stringContaining('layer 1 keepalive messages are not supported'),
      })
    })

    it('require iouyap and a licence to start, but not to be checked', async () => {
      const { emulator, start } = await lab({ options: { programDirectories: ['/nowhere'] } })
      expect(await emulator.check?.(routerSettings)).toMatchObject({
        image: expect.stringMatching(/^\/.*\/router\.bin$/),
      })
      await expect(start()).rejects.toMatchObject({
        reason: 'missing-program',
        message: expect.stringContaining('iouyap, which is necessary to start IOU'),
      })
      const unlicensed = await lab({ options: { licence: '/nowhere' } })
      await expect(unlicensed.start()).rejects.toThrow('A valid iourc file is necessary to start IOU')
    })

    it('refuse images outside the directories and invalid ones, in a check and at the start', async () => {
      const { emulator, images, start } = await lab()
      await writeFile(join(images, 'text'), '#!/bin/sh\n')
      await chmod(join(images, 'text'), 0o755)
      for (const [image, reason] of [
        ['/bin/sh', 'not-allowed'],
        ['../../bin/sh', 'not-allowed'],
        ['text', 'unusable-image'],
      ] as const) {
        await expect(emulator.check?.({ ...routerSettings, image })).rejects.toMatchObject({ reason })
        await expect(start({ image })).rejects.toMatchObject({ reason })
      }
    })

    it('accept an image that does not exist, which a start refuses', async () => {
      const { emulator, images, start } = await lab()
      const settings = { ...routerSettings, image: 'later' }
      expect(await emulator.check?.(settings)).toEqual({ ...settings, image: join(images, 'later') })
      await expect(start({ image: 'later' })).rejects.toMatchObject({ reason: 'unusable-image' })
    })
  })
