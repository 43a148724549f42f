import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunningInstance, SettingsOf } from '@trivium/emulation-core/ports'
import { expect, it, onTestFinished } from 'vitest'
import { isAlive } from '../src/processes/process-identity.ts'
import { vpcsEmulator } from '../src/vpcs/index.ts'
import { macByteOf } from '../src/vpcs/vpcs-mac.ts'
import { createBenchNetwork } from './bench-network.ts'
import { createRecorder, instanceOf, newProjectId } from './instances.ts'
import { describeWith } from './require-programs.ts'
import { scratchDirectory } from './scratch-directory.ts'
import { createTerminal } from './terminal.ts'

type VirtualPcSettings = SettingsOf<'virtual-pc'>

const settings: VirtualPcSettings = { console: 2000 }

describeWith(['vpcs'], 'virtual PCs as VPCS processes', () => {
  const emulator = vpcsEmulator()

  /** Starts a PC. Without an address it is ready immediately; VPCS probes an address for seconds. */
  const startPc = async (
    network: ReturnType<typeof createBenchNetwork>,
    name: string,
    slot: number,
    address: '' | `ip ${string}\n` = '',
    ownSettings: VirtualPcSettings = settings,
  ) => {
    const directory = await scratchDirectory()
    await writeFile(join(directory, 'startup.vpc'), `set pcname ${name}\n${address}`)
    const recorder = createRecorder()
    const pc: RunningInstance<'virtual-pc'> = await emulator.start(
      instanceOf('virtual-pc', directory, ownSettings, { name, slot }),
      network.wiring(name),
      recorder,
    )
    onTestFinished(() => pc.stop())
    return { pc, recorder, terminal: createTerminal(pc.console) }
  }

  it('ping each other over their links', async () => {
    const network = createBenchNetwork()
    network.cable('one', 'two')
    const [one, two] = await Promise.all([
      startPc(network, 'one', 0, 'ip 10.0.0.1/24\n'),
      startPc(network, 'two', 1, 'ip 10.0.0.2/24\n', { ...settings, macAddress: '00:50:79:66:68:c8' }),
    ])
    await Promise.all([one.terminal.waitFor('one> '), two.terminal.waitFor('two> ')])

    one.terminal.type('ping 10.0.0.2 -c 3 -i 50')
    await one.terminal.waitFor('10.0.0.2 icmp_seq=3 ttl=64 time=')
    expect(network.frames('one')).toBeGreaterThanOrEqual(3)
    expect(network.frames('two')).toBeGreaterThanOrEqual(3)
    two.terminal.type('show ip')
    await two.terminal.waitFor('00:50:79:66:68:c8')

    network.disconnect('one')
    one.terminal.type('ping 10.0.0.2 -c 1 -w 500')
    await one.terminal.waitFor(/timeout|not reachable/)

    expect(one.pc.processes).toEqual(one.recorder.last())
    expect(one.pc.processes).toHaveLength(2)
    const processes = [...one.pc.processes, ...two.pc.processes]
    await Promise.all([one.pc.stop(), two.pc.stop()])
    expect(await one.pc.exited).toMatchObject({ exitCode: 0 })
    for (const process of processes) expect(await isAlive(process)).toBe(false)
    expect(one.pc.processes).toEqual([])
    expect(network.plugs()).toBe(0)
  }, 30_000)

  it('report the memory and CPU time of their processes until they end', async () => {
    const { pc, terminal } = await startPc(createBenchNetwork(), 'one', 0)
    await terminal.waitFor('one> ')
    const used = await pc.resources?.()
    expect(used?.memoryBytes).toBeGreaterThan(2 ** 20)
    expect(used?.cpuSeconds).toBeGreaterThanOrEqual(0)
    expect(used?.cpuSeconds).toBeLessThan(60)
    await pc.stop()
    expect(await pc.resources?.()).toBeUndefined()
  })

  it('keep their console when a viewer ends its session', async () => {
    const { terminal } = await startPc(createBenchNetwork(), 'one', 0)
    await terminal.waitFor('one> ')
    terminal.type('disconnect')
    await terminal.waitFor('disconnect')
    await expect
      .poll(() => {
        terminal.type('version')
        return terminal.text()
      })
      .toMatch(/disconnect[\s\S]*Virtual PC Simulator, version/)
  }, 30_000)

  it('run no program of the host and open no connection, typed or in a script', async () => {
    const directory = await scratchDirectory()
    const { terminal } = await startPc(createBenchNetwork(), 'one', 0)
    await terminal.waitFor('one> ')
    for (const command of [
      `! touch ${directory}/typed`,
      'rlogin 127.0.0.1 22',
      'relay show',
      'set rhost 192.0.2.1',
      'load',
    ]) {
      terminal.type(command)
      await terminal.waitFor(`does not allow this command: ${command}`)
      await terminal.waitFor('one> ')
    }
    terminal.type('show')
    await terminal.waitFor('127.0.0.1')

    for (const script of [
      `! touch ${directory}/script`,
      `echo ${'a'.repeat(122)}! touch ${directory}/cut`,
      `echo ${'a'.repeat(249)}! touch ${directory}/cut`,
    ]) {
      await writeFile(join(directory, 'startup.vpc'), script)
      const network = createBenchNetwork()
      const started = emulator.start(
        instanceOf('virtual-pc', directory, settings),
        network.wiring('two'),
        createRecorder(),
      )
      await expect(started).rejects.toMatchObject({ reason: 'not-allowed', message: expect.stringContaining('line 1') })
      expect(network.plugs()).toBe(0)
    }
    expect(await readdir(directory)).toEqual(['startup.vpc'])
  }, 30_000)

  it.each([
    '',
    'set pcname one\n',
  ])('run the script that was checked, also when it is replaced afterwards: %j', async (script) => {
    const directory = await scratchDirectory()
    await writeFile(join(directory, 'startup.vpc'), script)
    const instance = instanceOf('virtual-pc', directory, settings)
    const pc = await emulator.start(instance, createBenchNetwork().wiring('one'), createRecorder())
    onTestFinished(() => pc.stop())
    await writeFile(join(directory, 'startup.vpc'), `! touch ${directory}/replaced\n`)
    const terminal = createTerminal(pc.console)
    await terminal.waitFor(script === '' ? /> $/ : 'one> ')
    terminal.type('version')
    await terminal.waitFor(/version[\s\S]*Virtual PC Simulator, version/)
    expect(await readdir(directory)).not.toContain('replaced')
  }, 30_000)

  it('report their end when they are killed, and leave no process', async () => {
    const network = createBenchNetwork()
    const { pc } = await startPc(network, 'one', 0)
    const [parent, child] = pc.processes
    if (parent === undefined || child === undefined) throw new Error('There are two processes')
    process.kill(parent.pid, 'SIGKILL')
    expect(await pc.exited).toMatchObject({ signal: 'SIGKILL' })
    expect(await isAlive(child)).toBe(false)
    expect(network.plugs()).toBe(0)
  })
})

it('accepts the addresses that VPCS can have, and no embedded PC', async () => {
  const { check } = vpcsEmulator()
  const macAddress = '00:50:79:66:68:ff'
  expect(await check?.({ ...settings, macAddress })).toEqual({ ...settings, macAddress, engine: 'vpcs' })
  await expect(check?.({ ...settings, macAddress: '00:50:79:66:69:00' })).rejects.toMatchObject({
    reason: 'unsupported',
    message:
      'VPCS sets only the last byte of a MAC address: it must be 00:50:79:66:68:00 to 00:50:79:66:68:ff, not 00:50:79:66:69:00.',
  })
  await expect(check?.({ ...settings, engine: 'embedded' })).rejects.toMatchObject({ reason: 'unsupported' })
})

it('numbers the PCs of a project without a gap, from a number of the project', () => {
  const project = newProjectId()
  const bytes = Array.from({ length: 256 }, (_none, slot) => macByteOf({ projectId: project, slot, settings }))
  expect(new Set(bytes).size).toBe(256)
  const firsts = Array.from({ length: 100 }, () => macByteOf({ projectId: newProjectId(), slot: 0, settings }))
  expect(new Set(firsts).size).toBeGreaterThan(20)
})

it('a start without VPCS is refused with the name of its package', async () => {
  const directory = await scratchDirectory()
  const network = createBenchNetwork()
  const emulator = vpcsEmulator({ programDirectories: [directory] })
  const started = emulator.start(instanceOf('virtual-pc', directory, settings), network.wiring('one'), createRecorder())
  await expect(started).rejects.toMatchObject({ reason: 'missing-program', debianPackage: 'vpcs' })
  expect(network.plugs()).toBe(0)
})

it.each([
  ['Welcome to Virtual PC Simulator, version 0.4b2', 'unsupported', 'VPCS executable version must be >= 0.5b1'],
  ['I am something else', 'failed', 'does not print a version'],
])('a program that prints "%s" is refused', async (words, reason, message) => {
  const directory = await scratchDirectory()
  await writeFile(join(directory, 'vpcs'), `#!/bin/sh\necho '${words}'\n`)
  await chmod(join(directory, 'vpcs'), 0o755)
  const emulator = vpcsEmulator({ programDirectories: [directory] })
  const network = createBenchNetwork()
  const started = emulator.start(instanceOf('virtual-pc', directory, settings), network.wiring('one'), createRecorder())
  await expect(started).rejects.toMatchObject({ reason, message: expect.stringContaining(message) })
})

it('a program that ends immediately is refused with the end of its log', async () => {
  const directory = await scratchDirectory()
  const script =
    '#!/bin/sh\n[ "$1" = -v ] && echo Welcome to Virtual PC Simulator, version 0.8 && exit\necho no luck today; exit 1\n'
  await writeFile(join(directory, 'vpcs'), script)
  await chmod(join(directory, 'vpcs'), 0o755)
  const emulator = vpcsEmulator({ programDirectories: [directory] })
  const network = createBenchNetwork()
  const started = emulator.start(instanceOf('virtual-pc', directory, settings), network.wiring('one'), createRecorder())
  await expect(started).rejects.toMatchObject({ reason: 'failed', message: 'VPCS could not be started: no luck today' })
  expect(network.plugs()).toBe(0)
})
