import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** After `changeset version`: packages that tell their version in code tell the one of their manifest. */
for (const file of globSync('packages/*/src/version.ts')) {
  const { version }: { version: string } = JSON.parse(readFileSync(`${dirname(dirname(file))}/package.json`, 'utf8'))
  writeFileSync(file, readFileSync(file, 'utf8').replace(/'[^']+'/, `'${version}'`))
}
