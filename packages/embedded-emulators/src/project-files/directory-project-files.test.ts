import { existsSync } from 'node:fs'
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InstanceId, ProjectId } from '@trivium/emulation-core'
import { projectFilesConformance } from '@trivium/emulation-core/conformance'
import { isRefusal, type ProjectDirectory, type ProjectFiles } from '@trivium/emulation-core/ports'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openDirectoryProjectFiles } from './directory-project-files.ts'

const directories: string[] = []

async function createDirectory() {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'project-files-')))
  directories.push(directory)
  return directory
}

afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

projectFilesConformance(async () => openDirectoryProjectFiles({ location: join(await createDirectory(), 'projects') }))

describe('openDirectoryProjectFiles', () => {
  let outside: string
  let files: ProjectFiles
  let project: ProjectDirectory
  // Any string is valid as an id here: it is not parsed.
  const id = 'one' as InstanceId
  const instance = () => ({ project, kind: 'virtual-pc', id }) as const
  const refused = (promise: Promise<unknown>) => expect(promise).rejects.toSatisfy(isRefusal)
  const wholeFile = () => ({ follow: false, signal: new AbortController().signal })

  beforeEach(async () => {
    outside = await createDirectory()
    files = await openDirectoryProjectFiles({ location: join(outside, 'projects') })
    // Any string is valid as an id here: it is not parsed.
    project = { id: 'p' as ProjectId, path: join(files.location, 'p'), temporary: false }
    await files.openProject(project)
  })

  it('follows no link from the instance to a file outside', async () => {
    await writeFile(join(outside, 'secret'), 'secret')
    await files.openInstance(instance())
    await symlink(join(outside, 'secret'), join(files.instancePath(instance()), 'startup.vpc'))
    await refused(files.readText(instance(), 'startup.vpc'))
    await refused(files.hasText(instance(), 'startup.vpc'))
    await refused(files.writeText(instance(), 'startup.vpc', 'overwritten'))
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret')
  })

  it('copies nested files with their permissions and owners, and no links', async () => {
    const directory = await files.openInstance(instance())
    const volume = join(directory, 'volumes', 'etc%frr')
    await mkdir(volume, { recursive: true })
    await writeFile(join(volume, 'frr.log'), 'kept')
    await symlink('/etc/passwd', join(volume, 'link'))
    await chmod(join(volume, 'frr.log'), 0o4640)
    await chmod(volume, 0o751)
    const isRoot = process.getuid?.() === 0
    if (isRoot) await chown(join(volume, 'frr.log'), 101, 102)
    const copy = { ...instance(), id: 'two' as InstanceId }
    await files.copyInstance(instance(), copy)
    const copied = join(files.instancePath(copy), 'volumes', 'etc%frr')
    expect(await readdir(copied)).toEqual(['frr.log'])
    const { mode, uid, gid } = await stat(join(copied, 'frr.log'))
    expect(mode & 0o7777).toBe(0o640)
    if (isRoot) expect([uid, gid]).toEqual([101, 102])
    expect((await stat(copied)).mode & 0o777).toBe(0o751)
  })

  it('follows no link that replaces a directory', async () => {
    await mkdir(join(outside, 'elsewhere', 'captures'), { recursive: true })
    await writeFile(join(outside, 'elsewhere', 'captures', 'secret'), 'secret')
    await symlink(join(outside, 'elsewhere'), join(project.path, 'project-files'))
    await refused(files.openInstance(instance()))
    await refused(files.createCapture(project, 'a.pcap'))
    await refused(files.captures(project))
    await refused(files.readCapture(project, 'secret', wholeFile()))
    await refused(files.removeCapture(project, 'secret'))
    await refused(files.removeInstance(instance()))
    expect(await readdir(join(outside, 'elsewhere', 'captures'))).toEqual(['secret'])
  })

  it('refuses to read, overwrite or remove a capture that is a link', async () => {
    await writeFile(join(outside, 'secret'), 'secret')
    await (await files.createCapture(project, 'real.pcap')).close()
    await symlink(join(outside, 'secret'), join(project.path, 'project-files', 'captures', 'link.pcap'))
    await refused(files.createCapture(project, 'link.pcap'))
    await refused(files.readCapture(project, 'link.pcap', wholeFile()))
    await refused(files.removeCapture(project, 'link.pcap'))
    expect((await files.captures(project)).map(({ name }) => name)).toEqual(['real.pcap'])
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret')
  })

  it('removes links with a project, but not their targets', async () => {
    await writeFile(join(outside, 'kept'), 'kept')
    await symlink(outside, join(project.path, 'link'))
    await files.removeProject(project)
    expect(await readFile(join(outside, 'kept'), 'utf8')).toBe('kept')
    expect(existsSync(project.path)).toBe(false)
  })

  it('never removes the directory of all projects or one of its parents', async () => {
    for (const path of ['/', outside, files.location, `${files.location}/p/..`]) {
      await refused(files.removeProject({ ...project, path }))
    }
    expect(existsSync(project.path)).toBe(true)
  })

  it('refuses a project whose directory cannot be created', async () => {
    await writeFile(join(outside, 'file'), '')
    await expect(files.openProject({ ...project, path: join(outside, 'file', 'p') })).rejects.toThrow(
      /Could not create project directory/,
    )
  })

  it('replaces a text in one step and leaves no other file', async () => {
    await files.writeText(instance(), 'startup.vpc', 'old')
    const writes = Array.from({ length: 20 }, (_, index) =>
      files.writeText(instance(), 'startup.vpc', `new ${index}`.repeat(1000)),
    )
    const reads = Array.from({ length: 20 }, () => files.readText(instance(), 'startup.vpc'))
    await Promise.all(writes)
    for (const text of await Promise.all(reads)) expect(text).toMatch(/^(old|(new \d+)\2*)$/)
    expect(await readdir(files.instancePath(instance()))).toEqual(['startup.vpc'])
  })

  it('moves a project without its sockets', async () => {
    const from = await files.openInstance(instance())
    const { createServer } = await import('node:net')
    const server = createServer().listen(join(from, 'monitor'))
    await new Promise((listening) => server.once('listening', listening))
    await files.writeText(instance(), 'disk', 'x')
    const moved = { ...project, path: join(outside, 'moved') }
    await files.moveProject(project, moved)
    server.close()
    expect(await readdir(files.instancePath({ ...instance(), project: moved }))).toEqual(['disk'])
  })

  it('ends a reader that follows when the capture is removed', async () => {
    const capture = await files.createCapture(project, 'a.pcap')
    capture.write(Buffer.from('first'))
    const source = await files.readCapture(project, 'a.pcap', { ...wholeFile(), follow: true })
    let text = ''
    for await (const piece of source ?? []) {
      text += Buffer.from(piece).toString()
      await files.removeCapture(project, 'a.pcap')
    }
    expect(text).toBe('first')
    await capture.close()
  })

  it('ignores bytes for a capture that is closed', async () => {
    const capture = await files.createCapture(project, 'a.pcap')
    capture.write(Buffer.alloc(10))
    await Promise.all([capture.close(), capture.close()])
    capture.write(Buffer.from('after the end'))
    expect([(await files.captures(project))[0]?.bytes, capture.bufferedBytes]).toEqual([10, 0])
  })

  it('yields to a reader that follows what another program appends', async () => {
    await (await files.createCapture(project, 'foreign.pcap')).close()
    const leave = new AbortController()
    const source = await files.readCapture(project, 'foreign.pcap', { follow: true, signal: leave.signal })
    const path = join(project.path, 'project-files', 'captures', 'foreign.pcap')
    const reading = (async () => {
      for await (const piece of source ?? []) {
        leave.abort()
        return Buffer.from(piece).toString()
      }
      return undefined
    })()
    await appendFile(path, 'added')
    expect(await reading).toBe('added')
  })
})
