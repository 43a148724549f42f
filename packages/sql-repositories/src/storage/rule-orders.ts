/**
 * The indexes by which lists of quota rules are read, each with its columns before the key. Fields with few values, such
 * as the type, have none.
 */
export const ruleOrders = [
  ['svm_name'],
  ['volume_uuid'],
  ['volume_name'],
  ['volume_name', 'qtree_name'],
  ['volume_name', 'space_hard'],
  ['qtree_name'],
  ['qtree_name', 'volume_name'],
  ['group_name'],
  ['group_id'],
  ['space_hard'],
  ['space_soft'],
  ['files_hard'],
  ['files_soft'],
] as const satisfies readonly (readonly string[])[]
