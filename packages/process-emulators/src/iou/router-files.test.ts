import { chmod, mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scratchDirectory } from '../../tests/scratch-directory.ts'
import { routerParameters, supportsKeepalives } from './command-line.ts'
import { linkImage } from './image-link.ts'
import { iouyapConfiguration } from './iouyap-configuration.ts'
import { licenceFile, licenceKeys } from './licence-file.ts'
import { missingLibraries } from './missing-libraries.ts'
import { netmap } from './netmap.ts'
import { adoptNvram } from './nvram-files.ts'
import { routerImage } from './router-image.ts'

describe('netmap', () => {
  it('joins 64 ports with their other ends', () => {
    const lines = netmap(1).split('\n')
    expect(lines.slice(0, 5)).toEqual([
      '513:0/0    1:0/0',
      '513:0/1    1:0/1',
      '513:0/2    1:0/2',
      '513:0/3    1:0/3',
      '513:1/0    1:1/0',
    ])
    expect(lines).toHaveLength(65)
    expect(netmap(511).startsWith('1023:0/0  511:0/0\n')).toBe(true)
  })

  it('never gives two routers the same number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 511 }), fc.integer({ min: 1, max: 511 }), (one, other) => {
        const numbers = (id: number) => netmap(id).match(/\d+(?=:)/g) ?? []
        const others = new Set(numbers(other))
        if (one !== other) expect(numbers(one).filter((number) => others.has(number))).toEqual([])
      }),
    )
  })
})

it('iouyapConfiguration writes a section for every tunnel', () => {
  const nic = { adapter: 1, port: 2 }
  expect(iouyapConfiguration(1, [{ nic, localPort: 10_001, remotePort: 10_000 }])).toBe(
    '[default]\nnetmap = NETMAP\nbase_port = 49000\n\n[513:1/2]\ntunnel_udp = 10001:127.0.0.1:10000\n',
  )
})

describe('routerParameters', () => {
  const router = {
    ethernetAdapters: 2,
    serialAdapters: 2,
    memoryMegabytes: 256,
    nvramKilobytes: 128,
    initialConfiguration: undefined,
    keepalives: false,
    applicationId: 1,
  }

  it.each([
    [{}, '1'],
    [{ applicationId: 511, initialConfiguration: 'initial-config.cfg' }, '-c initial-config.cfg 511'],
    [{ ethernetAdapters: 1, serialAdapters: 0, keepalives: true }, '-e 1 -s 0 -l 1'],
    [{ memoryMegabytes: 512 }, '-n 128 -m 512 1'],
    [
      { ethernetAdapters: 4, nvramKilobytes: 256, initialConfiguration: 'initial-config.cfg', keepalives: true },
      '-e 4 -n 256 -m 256 -c initial-config.cfg -l 1',
    ],
  ])('turns %j into: %s', (changes, line) => {
    expect(routerParameters({ ...router, ...changes }).join(' ')).toBe(line)
  })
})

it('supportsKeepalives finds the option in the help of an image', () => {
  expect(supportsKeepalives('  -l\t\tEnable Layer 1 keepalive messages\n')).toBe(true)
  expect(supportsKeepalives('  -m Megabytes\n')).toBe(false)
})

it('missingLibraries returns the libraries that ldd does not find', () => {
  expect(
    missingLibraries('\tlinux-gate.so.1\n\tlibcrypto.so.4 => not found\n\tlibc.so.6 => /lib/libc.so.6 (0x1)\n'),
  ).toEqual(['libcrypto.so.4'])
})

describe('licenceFile', () => {
  const check = async (text: string) => {
    const path = join(await scratchDirectory(), 'iourc')
    await writeFile(path, text)
    return licenceFile(path, 'lab.example')
  }

  it('accepts a file with a key for the host', async () => {
    expect(await check('# mine\r\n[license]\r\nlab.example = 0123456789abcdef;\r\n')).toMatch(/iourc$/)
  })

  it.each([
    '',
    'lab.example = 0123456789abcdef;',
    '[other]\nlab.example = 0123456789abcdef;',
    '[license]\nother = 0123456789abcdef;',
    '[license]\nlab.example = 0123456789abcdef',
    '[license]\nlab.example = 0123;',
    '\0'.repeat(100_000),
  ])('refuses the content %j', async (text) => {
    await expect(check(text)).rejects.toMatchObject({
      name: 'Refusal',
      message: expect.stringContaining('A valid iourc file is necessary to start IOU'),
    })
  })

  it('refuses a path that is not a file', async () => {
    await expect(licenceFile('/nowhere', 'x')).rejects.toMatchObject({ name: 'Refusal' })
    await expect(licenceFile('/tmp', 'x')).rejects.toMatchObject({ name: 'Refusal' })
  })

  it('parses any text without an error', () => {
    fc.assert(fc.property(fc.string(), (text) => licenceKeys(`[license]\n${text}`) instanceof Map))
  })
})

describe('routerImage', () => {
  const image = async (bytes: readonly number[], mode = 0o755) => {
    const directory = await scratchDirectory()
    await writeFile(join(directory, 'image'), Uint8Array.from(bytes))
    await chmod(join(directory, 'image'), mode)
    return routerImage('image', { directories: [directory], files: [] })
  }

  it.each([
    [[0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]],
    [[0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 9]],
  ])('accepts the header %j', async (bytes) => {
    expect((await image(bytes)).path).toMatch(/\/image$/)
  })

  it.each([
    [[]],
    [[0x7f, 0x45, 0x4c, 0x46]],
    [[0x7f, 0x45, 0x4c, 0x46, 1, 2, 1]],
    [[0x23, 0x21, 0x2f, 0x62, 0x69, 0x6e, 0x2f]],
  ])('refuses the header %j', async (bytes) => {
    await expect(image(bytes)).rejects.toMatchObject({
      reason: 'unusable-image',
      message: expect.stringContaining('is not a valid IOU image'),
    })
  })

  it('refuses images that are not executable or outside the directories', async () => {
    await expect(image([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1], 0o644)).rejects.toThrow('is not executable')
    await expect(routerImage('/bin/sh', { directories: ['/nowhere'], files: [] })).rejects.toMatchObject({
      reason: 'not-allowed',
    })
  })
})

it('adoptNvram keeps the saved configuration when the application id changes', async () => {
  const directory = await scratchDirectory()
  await writeFile(join(directory, 'nvram_00007'), 'saved')
  await adoptNvram(directory, 3)
  expect(await readFile(join(directory, 'nvram_00003'), 'utf8')).toBe('saved')
  await writeFile(join(directory, 'nvram_00009'), 'older')
  await adoptNvram(directory, 3)
  expect(await readFile(join(directory, 'nvram_00003'), 'utf8')).toBe('saved')
})

it('linkImage shortens the name of the link, and never replaces a file', async () => {
  const directory = await scratchDirectory()
  await mkdir(join(directory, 'work'))
  const long = join(directory, `${'x'.repeat(100)}.bin`)
  const link = await linkImage(long, join(directory, 'work'))
  expect([basename(link).length, await readlink(link)]).toEqual([63, long])
  expect(await linkImage(long, join(directory, 'work'))).toBe(link)
  await linkImage(join(directory, 'a', `${'x'.repeat(100)}.bin`), join(directory, 'work'))
  expect(await readdir(join(directory, 'work'))).toHaveLength(1)
  await writeFile(join(directory, 'work', 'NETMAP'), 'mine')
  await expect(linkImage(join(directory, 'NETMAP'), join(directory, 'work'))).rejects.toMatchObject({ name: 'Refusal' })
})
