import { expect, it } from 'vitest'
import { printing } from '../../tests/printing.ts'
import { listSubvolumes } from './list-subvolumes.ts'

const output = `ID 256 gen 9 top level 5 path qt1
ID 257 gen 9 top level 256 path qt1/inner
ID 258 gen 9 top level 5 path directory/qt 2
ID 259 gen 9 top level 5 path qt3
`
const list = async (printed: string, parent = 5) => [...(await listSubvolumes(printing(printed), '/v', parent))]

it('listSubvolumes reads the names and ids of the subvolumes inside one', async () => {
  expect(await list(output)).toEqual([
    ['qt1', 256],
    ['qt 2', 258],
    ['qt3', 259],
  ])
  expect(await list(output, 256)).toEqual([['inner', 257]])
})

it.each([
  'ID 259 gen 9 top level 5 path qt1',
  'ID 999 gen 9 top level 5 path other/qt1',
])('listSubvolumes leaves out a name that another line repeats: %s', async (line) => {
  const names = (await list(`${output}${line}\n`)).map(([name]) => name)
  expect(names).toEqual(['qt 2', 'qt3'])
})

it('listSubvolumes skips lines that are not rows', async () => {
  expect(await list(`${output}\nanything\nID x gen 1 top level 5 path y\n`)).toEqual(await list(output))
})
