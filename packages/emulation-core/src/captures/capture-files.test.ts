import { expect, it } from 'vitest'
import type { ProjectId } from '../projects/project.ts'
import { type CaptureCounts, createCaptureFiles } from './capture-files.ts'

const project = '11111111-1111-4111-8111-111111111111' as ProjectId
const other = '11111111-1111-4111-8111-111111111112' as ProjectId
const entry = (name: string, bytes: number) => ({ name, bytes, modifiedAt: new Date(0) })

it('shares the bytes of a project between its captures, separately from other projects', () => {
  const files = createCaptureFiles({ projectBytes: 100, onCounted: () => {} })
  for (const name of ['a', 'b']) files.take(project, name)
  files.take(other, 'a')
  files.count(project)([entry('old', 30), entry('a', 999)])
  expect(files.claim(project, 'a', 40)).toBe(true)
  expect(files.claim(project, 'b', 31)).toBe(false)
  expect(files.claim(project, 'b', 30)).toBe(true)
  expect(files.claim(other, 'a', 100)).toBe(true)
  files.release(project, 'a')
  expect(files.claim(project, 'b', 1)).toBe(false)
  files.count(project)([entry('a', 40), entry('b', 30)])
  expect(files.claim(project, 'b', 30)).toBe(true)
})

it('refuses bytes for a file that is not taken', () => {
  const files = createCaptureFiles({ projectBytes: 100, onCounted: () => {} })
  expect(files.claim(project, 'a', 1)).toBe(false)
  files.take(project, 'a')
  files.release(project, 'a')
  expect([files.claim(project, 'a', 1), files.any(project)]).toEqual([false, false])
})

it('reports the number of written files and the size of all files, after each 64 KiB', () => {
  const counts: CaptureCounts[] = []
  const files = createCaptureFiles({ projectBytes: 2 ** 20, onCounted: (now) => counts.push(now) })
  const reported = () => counts.splice(0).map(({ running, bytes }) => [running, bytes])
  files.count(other)([entry('old', 5)])
  files.take(project, 'a')
  files.count(project)([entry('a', 10), entry('old', 30)])
  expect(reported()).toEqual([
    [0, 5],
    [1, 5],
    [1, 35],
  ])
  for (let index = 0; index < 100; index += 1) files.claim(project, 'a', 1024)
  expect(reported()).toEqual([[1, 35 + 65_536]])
  files.release(project, 'a')
  files.count(project)([])
  files.removeProject(other)
  files.removeProject(other)
  expect(reported()).toEqual([
    [0, 35 + 102_400],
    [0, 5],
    [0, 0],
  ])
})

it('stops counting the files of a project after `removeProject`, written ones included', () => {
  const counts: CaptureCounts[] = []
  const files = createCaptureFiles({ projectBytes: 100, onCounted: (now) => counts.push(now) })
  files.take(project, 'a')
  files.claim(project, 'a', 50)
  files.removeProject(project)
  files.release(project, 'a')
  expect(counts.at(-1)).toEqual({ running: 0, bytes: 0 })
})

it('ignores a count that began before a later one, before a file was completed or before `removeProject`', () => {
  const counts: CaptureCounts[] = []
  const files = createCaptureFiles({ projectBytes: 1000, onCounted: (now) => counts.push(now) })
  const [early, late] = [files.count(project), files.count(project)]
  late([entry('a', 10)])
  early([entry('a', 10), entry('deleted since', 900)])
  expect(counts.at(-1)?.bytes).toBe(10)

  files.take(project, 'b')
  const during = files.count(project)
  files.claim(project, 'b', 50)
  files.release(project, 'b')
  during([entry('a', 10), entry('b', 20)])
  expect(counts.at(-1)?.bytes).toBe(60)

  const last = files.count(project)
  files.removeProject(project)
  last([entry('a', 10)])
  expect(counts.at(-1)?.bytes).toBe(0)
})
