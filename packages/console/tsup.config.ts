import base from '../../tsup.base.ts'

/** Beside the entries of the others, what `#assets` is in the published package. */
export default () => ({
  ...base(),
  entry: { index: 'src/index.ts', 'assets/built-before': 'src/assets/built-before.ts' },
  external: [/^node:/, '#assets'],
})
