import { isVolumeRefusal } from '@trivium/storage-core/ports'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { simulatedVolume } from './simulated-volume.ts'

const BLOCK = 4096
const path = fc.constantFrom('a', 'b', 'qt1/a', 'qt1/b', 'qt2/a')
const user = fc.constantFrom('root', 'sam', 'ann')
const blocks = fc.integer({ min: 0, max: 12 })

const step = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path, user, offset: blocks, length: blocks }),
  fc.record({ do: fc.constant('clone' as const), path, to: path }),
  fc.record({ do: fc.constant('range' as const), path, to: path, from: blocks, at: blocks, length: blocks }),
  fc.record({ do: fc.constant('unshare' as const), path, from: blocks, maximum: blocks }),
  fc.record({ do: fc.constant('truncate' as const), path, length: blocks }),
  fc.record({ do: fc.constant('remove' as const), path }),
  fc.record({ do: fc.constant('rename' as const), path, to: path }),
  fc.record({ do: fc.constant('chown' as const), path, user }),
)

/** What the volume is expected to hold: an array of blocks for each file. */
interface Model {
  readonly blocks: (number | undefined)[]
  user: string
}

it('counts space, files and owners like a plain list of blocks, and never changes shared blocks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const volume = simulatedVolume()
      for (const name of ['qt1', 'qt2']) await volume.createQtree(name, { unixPermissions: 777 })
      const model = new Map<string, Model>()
      const identities = new Map<string, string>()
      let block = 0
      for (const one of steps) {
        const file = model.get(one.path)
        switch (one.do) {
          case 'write': {
            volume.files.write(one.path, { size: one.length * BLOCK, offset: one.offset * BLOCK, user: one.user })
            const target = file ?? { blocks: [], user: one.user }
            model.set(one.path, target)
            for (let index = one.offset; index < one.offset + one.length; index += 1) {
              block += 1
              target.blocks[index] = block
            }
            break
          }
          case 'clone':
            if (!file || one.to === one.path) break
            identities.set(
              one.to,
              (
                await volume.cloneFile({
                  id: crypto.randomUUID(),
                  source: one.path,
                  destination: one.to,
                  overwrite: true,
                })
              ).identity,
            )
            model.set(one.to, { blocks: [...file.blocks], user: model.get(one.to)?.user ?? file.user })
            break
          case 'range': {
            if (!file || one.to === one.path || one.length === 0 || one.from + one.length > file.blocks.length) break
            const range = {
              sourceOffset: one.from * BLOCK,
              destinationOffset: one.at * BLOCK,
              length: one.length * BLOCK,
            }
            const request = { source: one.path, destination: one.to, ranges: [range], overwrite: true }
            identities.set(one.to, (await volume.cloneFile({ id: crypto.randomUUID(), ...request })).identity)
            const target = model.get(one.to) ?? { blocks: [], user: file.user }
            model.set(one.to, target)
            for (let index = 0; index < one.length; index += 1) {
              target.blocks[one.at + index] = file.blocks[one.from + index]
            }
            target.blocks.length = Math.max(target.blocks.length, one.at + one.length)
            break
          }
          case 'unshare': {
            const identity = identities.get(one.path)
            if (!identity || !file) break
            const before = volume.files.contents(one.path)
            const slice = {
              position: one.from * BLOCK,
              maximum: one.maximum * BLOCK,
              signal: new AbortController().signal,
            }
            await volume.unshare({ path: one.path, identity }, slice)
            expect(volume.files.contents(one.path)).toBe(before)
            break
          }
          case 'truncate':
            if (!file) break
            volume.files.truncate(one.path, one.length * BLOCK)
            file.blocks.length = one.length
            break
          case 'remove':
            if (!file) break
            volume.files.remove(one.path)
            model.delete(one.path)
            identities.delete(one.path)
            break
          case 'rename': {
            const taken = model.has(one.to)
            try {
              volume.files.rename(one.path, one.to)
              expect(file && !taken).toBe(true)
              if (file) model.set(one.to, file)
              model.delete(one.path)
              identities.delete(one.path)
            } catch (error) {
              expect(isVolumeRefusal(error)).toBe(true)
              expect(file && !taken).toBeFalsy()
            }
            break
          }
          case 'chown':
            if (!file) break
            volume.files.changeOwner(one.path, { user: one.user })
            file.user = one.user
        }
      }
      expect(await totals(volume)).toEqual(expected(model))
    }),
    { numRuns: 300 },
  )
})

async function totals(volume: ReturnType<typeof simulatedVolume>) {
  const found: Record<string, string> = {}
  for (const { target, space, files = 0 } of await volume.usage()) {
    const scope = target.qtree === undefined ? '' : `${target.qtree}/`
    if (target.kind === 'tree') found[scope] = `${space} ${files - 1}`
    if (target.kind === 'user' && target.user.name !== 'root')
      found[`${scope}${target.user.name}`] = `${space} ${files}`
  }
  for (const scope of ['qt1/', 'qt2/']) if (found[scope] === '0 0') delete found[scope]
  return found
}

function expected(model: ReadonlyMap<string, Model>) {
  const counts = new Map<string, { space: number; files: number }>()
  for (const [file, { blocks: list, user: owner }] of model) {
    const scope = file.includes('/') ? `${file.split('/')[0]}/` : undefined
    const keys = [
      ...(scope ? [scope] : []),
      ...(owner === 'root' ? [] : [owner, ...(scope ? [`${scope}${owner}`] : [])]),
    ]
    for (const key of keys) {
      const { space, files } = counts.get(key) ?? { space: 0, files: 0 }
      counts.set(key, { space: space + list.filter((one) => one !== undefined).length * BLOCK, files: files + 1 })
    }
  }
  return Object.fromEntries([...counts].map(([key, { space, files }]) => [key, `${space} ${files}`]))
}
