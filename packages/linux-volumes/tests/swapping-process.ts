import { renameSync } from 'node:fs'
import { join } from 'node:path'

// Exchanges two names of a directory repeatedly until it is killed.
const [directory = '', one = '', other = ''] = process.argv.slice(2)
const [first, second, between] = [join(directory, one), join(directory, other), join(directory, `${one}.between`)]
process.send?.('ready')
for (;;) {
  renameSync(first, between)
  renameSync(second, first)
  renameSync(between, second)
}
