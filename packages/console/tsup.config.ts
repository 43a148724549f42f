import base from '../../tsup.base.ts'

/** In addition to the usual entry, builds the module that `#assets` is in the published package. */
export default () => ({
  ...base(),
  entry: { index: 'src/index.ts', 'assets/built-before': 'src/assets/built-before.ts' },
  external: [/^node:/, '#assets'],
})
