import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes the version of each manifest to the `version.ts` of its package, after `changeset version`. */
for (const file of globSync('packages/*/src/version.ts')) {
  const { version }: { version: string } = JSON.parse(readFileSync(`${dirname(dirname(file))}/package.json`, 'utf8'))
  writeFileSync(file, readFileSync(file, 'utf8').replace(/'[^']+'/, `'${version}'`))
}
