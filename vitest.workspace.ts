import { existsSync, readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const folders = ['packages', 'examples'].flatMap((group) =>
  existsSync(group) ? readdirSync(group).map((name) => ({ name, root: `${group}/${name}` })) : [],
)

const conditions = ['@trivium/source']

export default defineConfig({
  test: {
    reporters: ['default', './vitest.reporter.ts'],
    projects: [...folders, { name: 'repository', root: 'tests' }].map(({ name, root }) => ({
      root,
      ssr: { resolve: { conditions } },
      // A busy machine is no failure: what hangs is what these end.
      test: {
        testTimeout: 60_000,
        hookTimeout: 120_000,
        name,
        include: ['src/**/*.test.ts', 'tests/**/*.test.ts', ...(root === 'tests' ? ['**/*.test.ts'] : [])],
      },
    })),
  },
})
