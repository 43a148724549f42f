import { defineContract } from '@trivium/http-contract'
import { clusterOperations } from './cluster/cluster-operations.ts'
import { fileCloneOperations } from './file-clones/file-clone-operations.ts'
import { jobOperations } from './jobs/job-operations.ts'
import { nodeOperations } from './nodes/node-operations.ts'
import { qtreeOperations } from './qtrees/qtree-operations.ts'
import { reportOperations } from './quota-reports/report-operations.ts'
import { ruleOperations } from './quota-rules/rule-operations.ts'
import { ruleImportOperations } from './rule-imports/import-operations.ts'
import { splitLoadOperations } from './split-loads/split-load-operations.ts'
import { splitStatusOperations } from './split-status/split-status-operations.ts'
import { svmOperations } from './svms/svm-operations.ts'
import { tokenOperations } from './tokens/token-operations.ts'
import { volumeOperations } from './volumes/volume-operations.ts'

/** The operations of the storage interface by their names, with paths, schemas and OpenAPI texts. */
export const storageContract = defineContract({
  ...tokenOperations,
  ...splitLoadOperations,
  ...splitStatusOperations,
  ...fileCloneOperations,
  ...ruleOperations,
  ...ruleImportOperations,
  ...reportOperations,
  ...volumeOperations,
  ...qtreeOperations,
  ...jobOperations,
  ...nodeOperations,
  ...svmOperations,
  ...clusterOperations,
})

/** The name of an operation, as access rules use it. */
export type StorageOperation = keyof typeof storageContract
