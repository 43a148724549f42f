import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DesktopVmSettings } from '@trivium/emulation-core/ports'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type VirtualBoxEmulatorOptions, virtualBoxEmulator } from '../src/virtualbox/index.ts'
import { createBenchNetwork } from './bench-network.ts'
import { createRecorder, desktopVmSettings, instanceOf, newInstanceId, newProjectId } from './instances.ts'
import { scratchDirectory } from './scratch-directory.ts'
import { createTerminal } from './terminal.ts'

/**
 * A substitute for `VBoxManage`. It logs every command, and stores machines as directories with a file for their state.
 * A started machine echoes on its serial port.
 */
const VBOXMANAGE = (home: string) => `#!${process.execPath}
const fs = require('node:fs'), path = require('node:path'), { spawn } = require('node:child_process')
const home = ${JSON.stringify(home)}, [, ...words] = process.argv.slice(2)
fs.appendFileSync(path.join(home, 'commands'), words.join(' ') + '\\n')
const at = (machine, file) => path.join(home, 'machines', machine, file)
const has = (machine) => fs.existsSync(at(machine, 'state'))
const state = (machine) => fs.readFileSync(at(machine, 'state'), 'utf8')
const set = (machine, value) => fs.writeFileSync(at(machine, 'state'), value)
const fail = (text) => { console.error('VBoxManage: error: ' + text + '\\nVBoxManage: error: details'); process.exit(1) }
const known = (machine) => has(machine) || fail("Could not find a registered machine named '" + machine + "'")
const [command, machine] = words
switch (command) {
  case 'list':
    if (machine === 'systemproperties') console.log('API version:  ' + (fs.existsSync(path.join(home, 'old')) ? '4_2' : '7_0'))
    else for (const name of fs.readdirSync(path.join(home, 'machines'))) console.log('"' + name + '" {00000000-0000-4000-8000-00000000000' + name.length % 10 + '}')
    break
  case 'showvminfo':
    known(machine)
    if (fs.existsSync(path.join(home, 'slow'))) {
      const mark = path.join(home, 'checking-' + process.pid)
      fs.writeFileSync(mark, '')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
      fs.rmSync(mark)
    }
    console.log('name="' + machine + '"\\nchipset="ich9"\\nVMState="' + state(machine) + '"\\nnic1="none"')
    if (fs.existsSync(at(machine, 'extra'))) console.log(fs.readFileSync(at(machine, 'extra'), 'utf8'))
    break
  case 'snapshot':
    fs.appendFileSync(at(machine, 'extra'), 'SnapshotName="' + words[3] + '"\\n')
    break
  case 'clonevm': {
    const id = words[words.indexOf('--uuid') + 1]
    fs.mkdirSync(path.join(home, 'machines', id))
    set(id, 'poweroff')
    break
  }
  case 'unregistervm': fs.rmSync(path.join(home, 'machines', machine), { recursive: true }); break
  case 'getextradata': console.log(machine.endsWith('5') ? 'Value: yes' : 'No value set!'); break
  case 'startvm': {
    known(machine)
    if (fs.existsSync(path.join(home, 'broken'))) fail('The machine does not start')
    set(machine, 'running')
    const pipe = fs.existsSync(at(machine, 'pipe')) && fs.readFileSync(at(machine, 'pipe'), 'utf8')
    const serve = 'const [pipe, state] = process.argv.slice(1), fs = require("fs"); setInterval(() => { try { if (fs.readFileSync(state, "utf8") === "poweroff") process.exit() } catch { process.exit() } }, 20); require("net").createServer((s) => { s.write("login: "); s.pipe(s) }).listen(pipe)'
    if (pipe) spawn(process.execPath, ['-e', serve, pipe, at(machine, 'state')], { detached: true, stdio: 'ignore' }).unref()
    break
  }
  case 'controlvm':
    if (words[2] === 'poweroff') set(machine, 'poweroff')
    if (words[2] === 'pause') set(machine, 'paused')
    if (words[2] === 'resume') set(machine, 'running')
    break
  case 'modifyvm':
    if (words.includes('--uartmode1')) fs.writeFileSync(at(machine, 'pipe'), words.at(-1))
    break
}
`

async function lab(options: Partial<VirtualBoxEmulatorOptions> = {}) {
  const [home, directory] = [await scratchDirectory(), await scratchDirectory()]
  const addMachine = async (name: string, state = 'poweroff') => {
    await mkdir(join(home, 'machines', name), { recursive: true })
    await writeFile(join(home, 'machines', name, 'state'), state)
  }
  await addMachine('Desktop')
  await writeFile(join(home, 'VBoxManage'), VBOXMANAGE(home))
  await chmod(join(home, 'VBoxManage'), 0o755)
  const emulator = virtualBoxEmulator({ programDirectories: [home], watchMs: 50, ...options })
  const network = createBenchNetwork()
  const id = newInstanceId()
  const start = async (changes: Partial<DesktopVmSettings> = {}) => {
    const settings = { ...desktopVmSettings, ...changes }
    const nics = Array.from({ length: settings.adapters }, (_, adapter) => ({ adapter, port: 0 }))
    const instance = instanceOf('desktop-vm', directory, settings, { id, name: 'PC 1' })
    const running = await emulator.start(instance, network.wiring('vm', nics), createRecorder())
    onTestFinished(() => running.stop())
    return running
  }
  /** The commands since the last call, with placeholders for values that differ between runs. */
  const commands = async () => {
    const file = join(home, 'commands')
    const text = await readFile(file, 'utf8').catch(() => '')
    await rm(file, { force: true })
    return text
      .trim()
      .split('\n')
      .map((line) =>
        line
          .replaceAll(directory, 'WD')
          .replaceAll(id, 'ID')
          .replace(/=\d{4,5}\b/g, '=PORT')
          .replace(/\/\S+\/serial/, 'PIPE'),
      )
  }
  const setState = (name: string, state: string) => writeFile(join(home, 'machines', name, 'state'), state)
  return { home, directory, emulator, network, id, start, commands, addMachine, setState }
}

describe('VirtualBox VMs', () => {
  it('start, run and stop with the recorded commands', async () => {
    const { start, commands, network } = await lab()
    network.cable('vm', 'elsewhere')
    const running = await start({ remoteConsole: true, adapters: 2 })
    expect(await commands()).toEqual([
      'list systemproperties',
      'showvminfo Desktop --machinereadable',
      'modifyvm Desktop --nictrace1 off --nictype1 82540EM --nic1 generic --nicgenericdrv1 UDPTunnel --nicproperty1 sport=PORT --nicproperty1 dest=127.0.0.1 --nicproperty1 dport=PORT --cableconnected1 on',
      'modifyvm Desktop --nictrace2 off --nictype2 82540EM --nic2 generic --nicgenericdrv2 UDPTunnel --nicproperty2 sport=PORT --nicproperty2 dest=127.0.0.1 --nicproperty2 dport=PORT --cableconnected2 off',
      `modifyvm Desktop ${Array.from({ length: 34 }, (_, at) => `--nic${at + 3} none`).join(' ')}`,
      'modifyvm Desktop --uart1 0x3F8 4 --uartmode1 server PIPE',
      'startvm Desktop --type headless',
      'guestproperty set Desktop NameInGNS3 PC 1',
      'guestproperty set Desktop ProjectDirInGNS3 WD',
    ])

    const terminal = createTerminal(running.console)
    await terminal.waitFor('login: ')
    terminal.type('hello')
    await terminal.waitFor('hello')
    const without = async () => (await commands()).filter((line) => !line.startsWith('showvminfo'))
    await running.suspend?.()
    await running.resume?.()
    await running.reload?.()
    await running.suspend?.()
    await running.reload?.()
    await running.nicChanged?.({ adapter: 1, port: 0 }, { connected: true, linkUp: true })
    await running.nicChanged?.({ adapter: 0, port: 0 }, { connected: true, linkUp: false })
    expect(await without()).toEqual([
      'controlvm Desktop pause',
      'controlvm Desktop resume',
      'controlvm Desktop reset',
      'controlvm Desktop pause',
      'controlvm Desktop reset',
      'controlvm Desktop resume',
      'controlvm Desktop setlinkstate2 on',
      'controlvm Desktop setlinkstate1 off',
    ])

    await running.stop()
    expect(await without()).toEqual([
      'controlvm Desktop poweroff',
      'modifyvm Desktop --uart1 off',
      'modifyvm Desktop --nictrace1 off --cableconnected1 off --nic1 null',
      'modifyvm Desktop --nictrace2 off --cableconnected2 off --nic2 null',
    ])
    expect(network.plugs()).toBe(0)
    await running.stop()
  }, 30_000)

  it('leave no VBoxManage process behind when they stop during a check of their state', async () => {
    const { home, start } = await lab({ watchMs: 200 })
    const running = await start()
    await writeFile(join(home, 'slow'), '')
    const checks = async () => (await readdir(home)).filter((file) => file.startsWith('checking-'))
    await vi.waitFor(async () => expect(await checks()).not.toEqual([]), { timeout: 20_000, interval: 10 })
    await running.stop()
    expect(await checks()).toEqual([])
  }, 30_000)

  it('use one clone under the id of the instance until it is removed', async () => {
    const { emulator, start, commands, id, directory, addMachine } = await lab()
    await addMachine('PC 1')
    const clone = { machineName: 'PC 1', cloneOf: 'Desktop', adapters: 0 }
    const first = await start(clone)
    expect((await commands()).slice(1, 8)).toEqual([
      'showvminfo ID --machinereadable',
      'showvminfo Desktop --machinereadable',
      'snapshot Desktop take GNS3 Linked Base for clones',
      'list vms',
      `clonevm Desktop --snapshot GNS3 Linked Base for clones --options link --name PC 1-${id.slice(0, 8)} --uuid ID --basefolder WD --register`,
      'setextradata ID GNS3/Clone yes',
      'snapshot ID take reset',
    ])
    await first.stop()
    await commands()
    const second = await start(clone)
    expect((await commands()).filter((line) => /^(clonevm|snapshot)/.test(line))).toEqual([])
    await second.stop()
    await commands()
    await emulator.remove?.({ id, directory })
    expect((await commands()).at(-1)).toBe('unregistervm ID --delete')
    await emulator.remove?.({ id, directory })
    expect(await commands()).toEqual(['showvminfo ID --machinereadable'])
  }, 30_000)

  it('accept changes of cables when VirtualBox fails, or when they do not have the adapter yet', async () => {
    const { start, commands, home } = await lab()
    const running = await start({ adapters: 1 })
    await commands()
    const pull = (adapter: number) => running.nicChanged?.({ adapter, port: 0 }, { connected: false, linkUp: false })
    await pull(1)
    expect((await commands()).filter((line) => line.startsWith('controlvm'))).toEqual([])
    await chmod(join(home, 'VBoxManage'), 0)
    await pull(0)
    await chmod(join(home, 'VBoxManage'), 0o755)
  })

  it('report their end when they end by themselves', async () => {
    const { start, setState, network } = await lab()
    const running = await start()
    await setState('Desktop', 'poweroff')
    expect(await running.exited).toEqual({ log: 'The VirtualBox VM is poweroff' })
    expect(network.plugs()).toBe(0)
  })

  it('turn off when they are reaped after a crash of the server', async () => {
    const { emulator, start, commands, directory, home, id } = await lab({ watchMs: 60_000 })
    await start()
    await commands()
    await emulator.endOrphans?.([{ id, projectId: newProjectId(), directory, processes: [] }])
    expect(await commands()).toContain('controlvm Desktop poweroff')
    expect(await readFile(join(home, 'machines/Desktop/state'), 'utf8')).toBe('poweroff')
    await emulator.endOrphans?.([{ id, projectId: newProjectId(), directory, processes: [] }])
    expect(await commands()).toEqual([''])
  })

  it('reject a start that fails, and release their links', async () => {
    const { home, start, network, setState, commands } = await lab()
    await writeFile(join(home, 'broken'), '')
    await expect(start()).rejects.toMatchObject({
      reason: 'failed',
      message: 'VBoxManage: error: The machine does not start',
    })
    expect((await commands()).at(-1)).toBe('modifyvm Desktop --nictrace1 off --cableconnected1 off --nic1 null')
    await expect(start({ machineName: 'Gone' })).rejects.toMatchObject({ reason: 'unusable-image' })
    await expect(start({ machineName: 'PC 1', cloneOf: 'Gone' })).rejects.toMatchObject({ reason: 'unusable-image' })
    await setState('Desktop', 'running')
    await expect(start()).rejects.toThrow('VirtualBox VM not powered off or saved')
    expect(network.plugs()).toBe(0)
  }, 30_000)

  it('appear by name, but clones do not', async () => {
    const { emulator, addMachine } = await lab()
    await addMachine('Clone')
    expect(await emulator.machineNames?.()).toEqual(['Desktop'])
  })

  it('require VBoxManage, new and fast enough, for a start but not for a check or a removal', async () => {
    const missing = await lab({ programDirectories: ['/nowhere'] })
    expect(await missing.emulator.check?.(desktopVmSettings)).toEqual(desktopVmSettings)
    await missing.emulator.remove?.({ id: missing.id, directory: missing.directory })
    await missing.emulator.endOrphans?.([
      { id: missing.id, projectId: newProjectId(), directory: missing.directory, processes: [] },
    ])
    await expect(missing.start()).rejects.toMatchObject({ reason: 'missing-program' })
    await expect(missing.emulator.machineNames?.()).rejects.toMatchObject({ reason: 'missing-program' })
    const old = await lab()
    await writeFile(join(old.home, 'old'), '')
    await expect(old.start()).rejects.toThrow('The VirtualBox API version is lower than 4.3')
    const slow = await lab({ timeoutMs: 100 })
    await writeFile(join(slow.home, 'VBoxManage'), '#!/bin/sh\nsleep 100\n')
    await expect(slow.start()).rejects.toThrow('VBoxManage has timed out after 0.1 seconds')
  })

  it.each([
    { machineName: '--nic1' },
    { machineName: '../x' },
    { machineName: '' },
    { machineName: 'x', cloneOf: '-x' },
    { adapterType: 'x' },
  ])('fail the check with %j', async (changes) => {
    const { emulator } = await lab()
    await expect(emulator.check?.({ ...desktopVmSettings, ...changes })).rejects.toMatchObject({
      reason: 'not-allowed',
    })
  })
})
