import type { Promisable } from 'type-fest'
import { beforeEach, describe, expect, it } from 'vitest'
import { isRefusal, type ProjectDirectory, type ProjectFiles } from '../ports.ts'
import { instanceId, projectId } from './records.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Names that must be refused: each leads out of its directory, or is not a valid file name. */
const hostileNames = [
  '',
  '.',
  '..',
  '../x',
  '../../x',
  'a/b',
  'a/../../x',
  '/etc/passwd',
  'a\\b',
  'nul\0byte',
  'x'.repeat(256),
]

/**
 * Registers vitest cases for `ProjectFiles`. Each case opens an empty location.
 *
 * @param open returns a store without projects whose location exists, for each test
 */
export function projectFilesConformance(open: () => Promisable<ProjectFiles>): void {
  describe('ProjectFiles', () => {
    let files: ProjectFiles
    let project: ProjectDirectory
    beforeEach(async () => {
      files = await open()
      project = { id: projectId(1), path: `${files.location}/${projectId(1)}`, temporary: false }
      await files.openProject(project)
    })
    const instance = () => ({ project, kind: 'virtual-pc', id: instanceId(1) }) as const

    const read = async (source: AsyncIterable<Uint8Array> | undefined) => {
      if (!source) return undefined
      const decoder = new TextDecoder()
      let text = ''
      for await (const chunk of source) text += decoder.decode(chunk, { stream: true })
      return text
    }
    const whole = { follow: false, signal: new AbortController().signal }

    it('creates an absolute directory for each instance', async () => {
      const path = await files.openInstance(instance())
      expect(path).toBe(`${project.path}/project-files/virtual-pc/${instanceId(1)}`)
      expect(files.instancePath(instance())).toBe(path)
      expect(await files.openInstance(instance())).toBe(path)
    })

    it('stores texts, and creates the directory where it is missing', async () => {
      expect(await files.readText(instance(), 'startup.vpc')).toBeUndefined()
      expect(await files.hasText(instance(), 'startup.vpc')).toBe(false)
      await files.writeText(instance(), 'startup.vpc', 'ip 10.0.0.1/24\nünï\n')
      expect(await files.readText(instance(), 'startup.vpc')).toBe('ip 10.0.0.1/24\nünï\n')
      expect(await files.hasText(instance(), 'startup.vpc')).toBe(true)
      await files.writeText(instance(), 'startup.vpc', '')
      expect(await files.readText(instance(), 'startup.vpc')).toBe('')
    })

    it('removes one text and keeps the others', async () => {
      await files.removeText(instance(), 'a')
      await files.writeText(instance(), 'a', 'x')
      await files.writeText(instance(), 'b', 'y')
      await files.removeText(instance(), 'a')
      expect(await files.readText(instance(), 'a')).toBeUndefined()
      expect(await files.readText(instance(), 'b')).toBe('y')
    })

    it('cuts off a text at 1 MiB', async () => {
      await files.writeText(instance(), 'startup.vpc', 'x'.repeat(2 ** 20 + 1))
      expect((await files.readText(instance(), 'startup.vpc'))?.length).toBe(2 ** 20)
    })

    it('copies the files of an instance without its logs, and keeps the original', async () => {
      const copy = {
        project: { ...project, id: projectId(2), path: `${files.location}/${projectId(2)}` },
        kind: 'virtual-pc',
        id: instanceId(2),
      } as const
      await files.openProject(copy.project)
      await files.copyInstance(instance(), copy)
      expect(await files.hasText(copy, 'startup.vpc')).toBe(false)
      for (const name of ['startup.vpc', 'vpcs.log', 'vpcs.log.1', 'log']) await files.writeText(instance(), name, name)
      await files.copyInstance(instance(), copy)
      await files.writeText(instance(), 'startup.vpc', 'changed')
      expect(await files.readText(copy, 'startup.vpc')).toBe('startup.vpc')
      expect(await files.readText(copy, 'log')).toBe('log')
      expect([await files.hasText(copy, 'vpcs.log'), await files.hasText(copy, 'vpcs.log.1')]).toEqual([false, false])
      expect(await files.readText(instance(), 'startup.vpc')).toBe('changed')
    })

    it('removes one instance and keeps the others', async () => {
      const other = { ...instance(), id: instanceId(2) }
      await files.writeText(instance(), 'startup.vpc', 'one')
      await files.writeText(other, 'startup.vpc', 'other')
      await files.removeInstance(instance())
      await files.removeInstance(instance())
      expect(await files.readText(instance(), 'startup.vpc')).toBeUndefined()
      expect(await files.readText(other, 'startup.vpc')).toBe('other')
    })

    it('opens an existing project without changing its files', async () => {
      await files.writeText(instance(), 'startup.vpc', 'kept')
      await files.openProject(project)
      expect(await files.readText(instance(), 'startup.vpc')).toBe('kept')
    })

    it('removes a project with all its files, also when it is already removed', async () => {
      await files.writeText(instance(), 'startup.vpc', 'gone')
      await files.removeProject(project)
      await files.removeProject(project)
      await files.openProject(project)
      expect(await files.readText(instance(), 'startup.vpc')).toBeUndefined()
    })

    it('removes only directories with the marker of temporary projects', async () => {
      const temporary = { id: projectId(2), path: `${files.location}/${projectId(2)}`, temporary: true }
      const permanent = { id: projectId(3), path: `${files.location}/${projectId(3)}`, temporary: true }
      await files.openProject(temporary)
      await files.openProject(permanent)
      await files.openProject({ ...permanent, temporary: false })
      for (const each of [project, temporary, permanent])
        await files.writeText({ ...instance(), project: each }, 'a', 'x')
      expect(await files.removeTemporary()).toBe(1)
      expect(await files.readText({ ...instance(), project: temporary }, 'a')).toBeUndefined()
      expect(await files.readText({ ...instance(), project: permanent }, 'a')).toBe('x')
      expect(await files.readText(instance(), 'a')).toBe('x')
    })

    it('finds and removes directories of projects of users', async () => {
      const id = projectId(4)
      const own = { id, path: `${files.location}/users/ada/${id}`, temporary: true }
      expect(await files.findProjects(id)).toEqual([])
      await files.openProject(own)
      expect(await files.findProjects(id)).toEqual([own.path])
      await files.openProject({ ...own, path: `${files.location}/${id}`, temporary: false })
      expect(new Set(await files.findProjects(id))).toEqual(new Set([own.path, `${files.location}/${id}`]))
      expect(await files.removeTemporary()).toBe(1)
      expect(await files.findProjects(id)).toEqual([`${files.location}/${id}`])
    })

    it('keeps existing files and copies the others when a project moves', async () => {
      const moved = { ...project, path: `${files.location}/elsewhere` }
      await files.writeText(instance(), 'a', 'old a')
      await files.writeText(instance(), 'b', 'old b')
      await files.openProject(moved)
      await files.writeText({ ...instance(), project: moved }, 'a', 'new a')
      await files.moveProject(project, moved)
      expect(await files.readText({ ...instance(), project: moved }, 'a')).toBe('new a')
      expect(await files.readText({ ...instance(), project: moved }, 'b')).toBe('old b')
      expect(await files.readText(instance(), 'b')).toBe('old b')
    })

    it('removes the old directory when a temporary project moves', async () => {
      const from = { ...project, temporary: true }
      await files.openProject(from)
      await files.writeText(instance(), 'a', 'x')
      const moved = { ...from, path: `${files.location}/elsewhere`, temporary: false }
      await files.moveProject(from, moved)
      expect(await files.readText({ ...instance(), project: moved }, 'a')).toBe('x')
      expect(await files.readText(instance(), 'a')).toBeUndefined()
      expect(await files.removeTemporary()).toBe(0)
    })

    it('streams a capture while it is written', async () => {
      const capture = await files.createCapture(project, 'one.pcap')
      expect(capture.path).toBe(`${project.path}/project-files/captures/one.pcap`)
      capture.write(bytes('head'))
      capture.write(bytes('er'))
      const controller = new AbortController()
      const source = await files.readCapture(project, 'one.pcap', { follow: true, signal: controller.signal })
      let text = ''
      for await (const chunk of source ?? []) {
        text += new TextDecoder().decode(chunk)
        if (text === 'header') capture.write(bytes('+frame'))
        if (text === 'header+frame') controller.abort()
      }
      expect(text).toBe('header+frame')
      await capture.close()
      expect(await read(await files.readCapture(project, 'one.pcap', whole))).toBe('header+frame')
    })

    it('empties an existing capture, lists it and removes it', async () => {
      for (const content of ['first time', 'second']) {
        const capture = await files.createCapture(project, 'one.pcap')
        capture.write(bytes(content))
        await capture.close()
      }
      expect(await files.captures(project)).toEqual([{ name: 'one.pcap', bytes: 6, modifiedAt: expect.any(Date) }])
      expect(await files.removeCapture(project, 'one.pcap')).toBe(true)
      expect(await files.removeCapture(project, 'one.pcap')).toBe(false)
      expect(await files.captures(project)).toEqual([])
      expect(await files.readCapture(project, 'one.pcap', whole)).toBeUndefined()
    })

    it.each(hostileNames)('refuses the name %j', async (name) => {
      const refusal = expect.toSatisfy(isRefusal)
      await expect(files.createCapture(project, name)).rejects.toEqual(refusal)
      await expect(files.readCapture(project, name, whole)).rejects.toEqual(refusal)
      await expect(files.removeCapture(project, name)).rejects.toEqual(refusal)
      await expect(files.writeText(instance(), name, 'x')).rejects.toEqual(refusal)
      await expect(files.readText(instance(), name)).rejects.toEqual(refusal)
      await expect(files.removeText(instance(), name)).rejects.toEqual(refusal)
    })
  })
}
