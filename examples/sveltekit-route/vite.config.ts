import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defaultServerConditions, defineConfig } from 'vite'

export default defineConfig({
  plugins: [sveltekit({ adapter: adapter() })],
  // Inside this repository packages run from their sources; an application that has installed them needs no such line.
  ssr: { resolve: { conditions: ['@trivium/source', ...defaultServerConditions] } },
})
