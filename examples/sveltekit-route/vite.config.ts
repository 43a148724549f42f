import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defaultServerConditions, defineConfig } from 'vite'

export default defineConfig({
  plugins: [sveltekit({ adapter: adapter() })],
  // Only this repository runs packages from their sources. An application with installed packages needs no such line.
  ssr: { resolve: { conditions: ['@trivium/source', ...defaultServerConditions] } },
})
