import {
  type CreateIndexNode,
  IdentifierNode,
  type Kysely,
  OperationNodeTransformer,
  type PrimaryKeyConstraintNode,
  type QueryId,
  type SchemableIdentifierNode,
} from 'kysely'
import type { TableNaming } from './table-naming.ts'

/** The names that this package gives to tables, indexes and constraints. Aliases and `excluded` have others. */
const OWN_NAME = /^(gateway|emulation|storage)_/

/** Puts every table, index and constraint of all queries under its prefix and into its schema. */
export function tableNames(kysely: Kysely<unknown>, naming: TableNaming): Kysely<unknown> {
  const { schema, tablePrefix = '' } = naming
  if (schema === undefined && tablePrefix === '') return kysely
  const transformer = new NameTransformer(naming)
  return kysely.withPlugin({
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  })
}

class NameTransformer extends OperationNodeTransformer {
  readonly #naming: TableNaming

  constructor(naming: TableNaming) {
    super()
    this.#naming = naming
  }

  protected override transformSchemableIdentifier(node: SchemableIdentifierNode): SchemableIdentifierNode {
    if (!OWN_NAME.test(node.identifier.name)) return node
    const { schema } = this.#naming
    return {
      ...node,
      identifier: this.#prefixed(node.identifier),
      ...(schema !== undefined && { schema: IdentifierNode.create(schema) }),
    }
  }

  protected override transformCreateIndex(node: CreateIndexNode, queryId: QueryId): CreateIndexNode {
    return { ...super.transformCreateIndex(node, queryId), name: this.#prefixed(node.name) }
  }

  protected override transformPrimaryKeyConstraint(
    node: PrimaryKeyConstraintNode,
    queryId: QueryId,
  ): PrimaryKeyConstraintNode {
    const transformed = super.transformPrimaryKeyConstraint(node, queryId)
    return node.name === undefined ? transformed : { ...transformed, name: this.#prefixed(node.name) }
  }

  #prefixed(name: IdentifierNode): IdentifierNode {
    return OWN_NAME.test(name.name) ? IdentifierNode.create(`${this.#naming.tablePrefix ?? ''}${name.name}`) : name
  }
}
