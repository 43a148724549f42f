import base from '../../tsup.base.ts'

/** In addition to the usual entries, builds the module that is loaded before undici. In one file undici would be first. */
export default () => ({
  ...base(),
  entry: { ...base().entry, 'supported-node': 'src/supported-node.ts' },
  external: [/^node:/, '#supported-node'],
})
