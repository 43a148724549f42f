import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'

/** What somebody needs who opens the folder of an example. */
const examples = globSync('examples/*/package.json')
  .map((file) => basename(dirname(file)))
  .sort()

describe.each(examples)('%s', (name) => {
  it('says what it is, and how it is started', () => {
    const readme = readFileSync(`examples/${name}/README.md`, 'utf8')
    expect(readme).toMatch(/^# .+\n\n/)
    expect(readme).toMatch(/^```sh\n(.*\n)*?(npm start|.*npx node --conditions=@trivium\/source examples\/)/m)
    for (const [path] of readme.matchAll(/examples\/[\w-]+\/\S+\.(ts|js)/g)) expect(globSync(path)).toEqual([path])
  })

  it('is run by a test, and by its smoke path', () => {
    const manifest: Readonly<Record<string, unknown>> = JSON.parse(
      readFileSync(`examples/${name}/package.json`, 'utf8'),
    )
    expect(globSync(String(manifest.main), { cwd: `examples/${name}` })).toHaveLength(1)
    expect(manifest.smoke).toMatch(/^\//)
    expect(globSync('tests/**/*.test.ts', { cwd: `examples/${name}` })).not.toEqual([])
  })

  it('is in the list of the root', () => {
    expect(readFileSync('README.md', 'utf8')).toContain(`(examples/${name})`)
  })
})
