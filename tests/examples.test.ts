import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'

const examples = globSync('examples/*/package.json')
  .map((file) => basename(dirname(file)))
  .sort()

describe.each(examples)('the example %s', (name) => {
  it('has a README with a title and a command that starts it', () => {
    const readme = readFileSync(`examples/${name}/README.md`, 'utf8')
    expect(readme).toMatch(/^# .+\n\n/)
    expect(readme).toMatch(/^```sh\n(.*\n)*?(npm start|.*npx node --conditions=@trivium\/source examples\/)/m)
    for (const [path] of readme.matchAll(/examples\/[\w-]+\/\S+\.(ts|js)/g)) expect(globSync(path)).toEqual([path])
  })

  it('has a main file, a smoke path and tests', () => {
    const manifest: Readonly<Record<string, unknown>> = JSON.parse(
      readFileSync(`examples/${name}/package.json`, 'utf8'),
    )
    expect(globSync(String(manifest.main), { cwd: `examples/${name}` })).toHaveLength(1)
    expect(manifest.smoke).toMatch(/^\//)
    expect(globSync('tests/**/*.test.ts', { cwd: `examples/${name}` })).not.toEqual([])
  })

  it('appears in the list of the root README', () => {
    expect(readFileSync('README.md', 'utf8')).toContain(`(examples/${name})`)
  })
})
