import { describe, expect, it } from 'vitest'
import { mountOf, parseMountInfo } from './mount-info.ts'

const text = `27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
43 27 0:39 / /srv/pool rw,relatime - btrfs /dev/loop0 rw,discard=async,subvolid=5,subvol=/
42 27 7:1 / /srv/pool/two\\040words rw,relatime shared:5 master:1 - xfs /dev/loop1 rw,attr2,prjquota
`

describe('parseMountInfo', () => {
  it('reads mount points, file systems and options', () => {
    expect(parseMountInfo(text)[2]).toEqual({
      mountPoint: '/srv/pool/two words',
      fileSystem: 'xfs',
      source: '/dev/loop1',
      options: new Set(['rw', 'relatime', 'attr2', 'prjquota']),
    })
  })

  it('refuses an incomplete line', () => {
    expect(() => parseMountInfo('43 27 0:39\n')).toThrow('not understood')
  })
})

describe('mountOf', () => {
  const mounts = parseMountInfo(text)
  it.each([
    ['/srv/pool', 'btrfs'],
    ['/srv/pool/qt1/file', 'btrfs'],
    ['/srv/pool/two words/x', 'xfs'],
    ['/srv/pool2', 'ext4'],
    ['/', 'ext4'],
  ])('finds the mount of %s', (path, fileSystem) => {
    expect(mountOf(mounts, path)?.fileSystem).toBe(fileSystem)
  })

  it('returns the last of several mounts of one directory', () => {
    const above = parseMountInfo(`${text}50 27 0:44 / /srv/pool rw - tmpfs tmpfs rw\n`)
    expect(mountOf(above, '/srv/pool/a')?.fileSystem).toBe('tmpfs')
  })
})
