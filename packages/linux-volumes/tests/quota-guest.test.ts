import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { runGuest } from './quota-guest/run-guest.ts'

// Kernels of build machines often have no quotas for xfs and ext4, so these tests run in a small guest that has them.
const programs = [
  'qemu-system-x86_64',
  'busybox',
  'depmod',
  'apt-get',
  'setquota',
  'xfs_quota',
  'mkfs.xfs',
  'mkfs.ext4',
]

async function missingPrograms(): Promise<readonly string[]> {
  const found = await Promise.allSettled(programs.map((program) => promisify(execFile)('which', [program])))
  const missing = programs.filter((_program, index) => found[index]?.status === 'rejected')
  if (missing.length > 0) {
    const message = `${missing.join(', ')} not installed: the quota guest is skipped`
    if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(message)
    console.warn(message)
  }
  return missing
}

describe.skipIf((await missingPrograms()).length > 0)('quotas of a guest kernel', () => {
  const findings = new Map<string, Record<string, unknown>>()
  beforeAll(async () => {
    const output = await runGuest()
    for (const [, name = '', json = ''] of output.matchAll(/FINDINGS (\w+) (.*?)\r?$/gm))
      findings.set(name, JSON.parse(json))
    if (findings.size < 2) throw new Error(`The guest did not finish:\n${output}`)
  }, 960_000)

  describe.each(['ext4', 'xfs'])('a volume on %s', (name) => {
    const found = (key: string) => findings.get(name)?.[key]

    it('creates qtrees', () => {
      expect(found('error')).toBeUndefined()
      expect(found('qtrees')).toEqual(expect.arrayContaining(['qt1', 'qt2']))
    })

    it('stops a writer at the limit of a tree, and after a resize at the new one', () => {
      expect(found('tree')).toBeGreaterThan(9)
      expect(found('tree')).toBeLessThanOrEqual(10)
      expect(Number(found('tree')) + Number(found('treeResized'))).toBeGreaterThan(19)
      expect(Number(found('tree')) + Number(found('treeResized'))).toBeLessThanOrEqual(20)
    })

    it('limits the number of files in a tree', () => {
      expect(found('treeFiles')).toBe(19)
    })

    it('limits the space of a user over all qtrees, and the files of a group', () => {
      const all = Number(found('tree')) + Number(found('treeResized')) + Number(found('user'))
      expect(all).toBeGreaterThan(29)
      expect(all).toBeLessThanOrEqual(30)
      expect(found('groupFiles')).toBe(8)
    })

    it('reports usage by tree and by user', () => {
      expect(found('usage')).toContainEqual({ target: { kind: 'tree', qtree: 'qt1' }, space: 20, files: 3 })
      expect(found('usage')).toContainEqual({
        target: { kind: 'user', user: { id: '1000', name: 'alice' } },
        space: 30,
        files: 3,
      })
    })

    it('limits no other user when root is limited', () => {
      const root = name === 'xfs' ? 'unsupported' : 'limited'
      expect([found('root'), found('besideRoot')]).toEqual([root, 40])
    })

    it('limits every user on xfs, and refuses that on ext4', () => {
      if (name === 'ext4') expect(found('everyUser')).toBe('unsupported')
      else {
        const everyUser = { first: 2, raised: 4, own: 2, unlimited: 40, again: 0, cleared: 40 }
        expect(found('everyUser')).toEqual(everyUser)
      }
    })

    it('holds limits above 2^53 exactly, and refuses those that it would round', () => {
      const unsupported = [['spaceHard'], ['spaceHard'], ['filesHard']]
      expect(found('large')).toEqual({ lost: [false, true, true], unsupported })
    })

    it('changes and removes exceeded limits, and changes their qtrees', () => {
      expect(found('exceeded')).toEqual({ above: 0, off: 10, on: 0, cleared: 10, left: false })
    })

    it('enforces no limits once quotas are off', () => {
      expect([found('off'), found('offForIdle')]).toEqual([40, 40])
    })
  })
})
