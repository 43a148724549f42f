import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createLab } from '../emulation/lab.ts'
import { requireProgram } from '../require-program.ts'
import { startServer } from '../server-process.ts'
import { accessibleToOthers, pathsIn, useEverything } from './whole-run.ts'

it('creates directories that no other user of the machine can read', async () => {
  const home = mkdtempSync(join(tmpdir(), 'trivium-files-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const [dataDirectory, projects] = [join(home, 'data'), join(home, 'projects')]
  const environment = { TRIVIUM_PROJECTS_DIR: projects }
  await using server = await startServer({ dataDirectory, environment })
  expect((await server.ask('/v1/version')).status).toBe(200)
  const modes = [dataDirectory, projects, join(dataDirectory, 'images')].map((path) => statSync(path).mode & 0o077)
  expect(modes).toEqual([0, 0, 0])
})

it.each([
  '000',
  '022',
])('creates only files and directories without rights for other users in its data directory, with umask %s', async (umask) => {
  const home = mkdtempSync(join(tmpdir(), 'trivium-files-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const dataDirectory = join(home, 'data')
  // The first start makes a password file, before the tests set their own password.
  const launcher = ['sh', '-c', 'umask "$0" && exec "$@"', umask]
  const environment = { TRIVIUM_ADMIN_PASSWORD: '' }
  await using first = await startServer({ dataDirectory, launcher, environment })
  expect(await first.stop()).toBe(0)
  await using server = await startServer({ dataDirectory, launcher })
  await useEverything(server)
  const made = pathsIn(dataDirectory)
  const names = [
    ...['admin-password', 'trivium.sqlite', 'trivium.sqlite-wal', 'trivium.sqlite-shm', 'labs.lock', 'images'],
    ...['pictures', 'projects', '.trivium-temporary', 'startup.vpc', 'a.pcap'],
  ]
  expect(made.map((path) => basename(path))).toEqual(expect.arrayContaining(names))
  expect(made.some((path) => path.endsWith('.png'))).toBe(true)
  expect(accessibleToOthers([dataDirectory, ...made])).toEqual([])
})

const hasPrograms =
  (await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')) && (await requireProgram('vpcs', 'vpcs'))

it.runIf(hasPrograms)(
  'creates files of labs that no other user of the machine can read, in a directory that others can read',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'trivium-files-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const [dataDirectory, projects] = [join(home, 'data'), join(home, 'projects')]
    for (const directory of [home, dataDirectory, projects]) mkdirSync(directory, { recursive: true })
    for (const directory of [home, dataDirectory, projects]) chmodSync(directory, 0o755)
    writeFileSync(join(dataDirectory, 'labs.lock'), '', { mode: 0o644 })
    const environment = { TRIVIUM_PROJECTS_DIR: projects, TRIVIUM_EMU3: 'vpcs' }
    await using server = await startServer({ dataDirectory, environment })
    const lab = await createLab(server, { temporary: true })
    const pc = await lab.create('emu3', { name: 'pc', startup_script: 'set pcname pc\n' })
    const machine = await lab.create('emu1', { name: 'machine', emu1_path: 'qemu-system-x86_64', ram: 16 })
    await lab.start('emu3', pc.vm_id)
    await lab.start('emu1', machine.vm_id)
    await lab.call('POST', `${lab.path}/emu3/vms/${pc.vm_id}/adapters/0/ports/0/start_capture`, {
      capture_file_name: 'a.pcap',
    })
    const made = [join(dataDirectory, 'labs.lock'), ...pathsIn(projects)]
    const names = [
      'labs.lock',
      '.trivium-temporary',
      'startup.vpc',
      'checked.vpc',
      'vpcs.log',
      'flash.qcow2',
      'qemu.log',
      'a.pcap',
    ]
    expect(made.map((path) => basename(path))).toEqual(expect.arrayContaining(names))
    expect(accessibleToOthers(made)).toEqual([])
  },
)
