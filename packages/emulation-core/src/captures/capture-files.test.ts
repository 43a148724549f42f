import { expect, it } from 'vitest'
import type { ProjectId } from '../projects/project.ts'
import { createCaptureFiles } from './capture-files.ts'

const project = '11111111-1111-4111-8111-111111111111' as ProjectId
const other = '11111111-1111-4111-8111-111111111112' as ProjectId
const entry = (name: string, bytes: number) => ({ name, bytes, modifiedAt: new Date(0) })

it('gives the bytes of a project to all of its captures together, and to no other project', () => {
  const files = createCaptureFiles({ projectBytes: 100 })
  for (const name of ['a', 'b']) files.take(project, name)
  files.take(other, 'a')
  files.count(project, [entry('old', 30), entry('a', 999)])
  expect(files.claim(project, 'a', 40)).toBe(true)
  expect(files.claim(project, 'b', 31)).toBe(false)
  expect(files.claim(project, 'b', 30)).toBe(true)
  expect(files.claim(other, 'a', 100)).toBe(true)
  files.release(project, 'a')
  expect(files.claim(project, 'b', 1)).toBe(false)
  files.count(project, [entry('a', 40), entry('b', 30)])
  expect(files.claim(project, 'b', 30)).toBe(true)
})

it('gives nothing to a file that is not taken', () => {
  const files = createCaptureFiles({ projectBytes: 100 })
  expect(files.claim(project, 'a', 1)).toBe(false)
  files.take(project, 'a')
  files.release(project, 'a')
  expect([files.claim(project, 'a', 1), files.any(project)]).toEqual([false, false])
})
