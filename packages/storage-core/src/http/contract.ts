import { clusterOperations } from './cluster/cluster-operations.ts'
import { fileCloneOperations } from './file-clones/file-clone-operations.ts'
import { fileOperations } from './files/file-operations.ts'
import { jobOperations } from './jobs/job-operations.ts'
import { mailOperations } from './mail/mail-operations.ts'
import { nodeOperations } from './nodes/node-operations.ts'
import { noticeOperations } from './notices/notice-operations.ts'
import { qtreeOperations } from './qtrees/qtree-operations.ts'
import { reportOperations } from './quota-reports/report-operations.ts'
import { ruleOperations } from './quota-rules/rule-operations.ts'
import { ruleImportOperations } from './rule-imports/import-operations.ts'
import { selfOperations } from './self/self-operations.ts'
import { splitLoadOperations } from './split-loads/split-load-operations.ts'
import { splitStatusOperations } from './split-status/split-status-operations.ts'
import { splitOperations } from './splits/split-operations.ts'
import { svmOperations } from './svms/svm-operations.ts'
import { tokenOperations } from './tokens/token-operations.ts'
import { metricOperations } from './usage-history/metric-operations.ts'
import { cliVolumeOperations } from './volumes/cli-volume-operations.ts'
import { volumeOperations } from './volumes/volume-operations.ts'
import { webhookOperations } from './webhooks/webhook-operations.ts'

// Types by name: written out as one object, the type is too long to declare.
type Operations = typeof ruleOperations &
  typeof ruleImportOperations &
  typeof reportOperations &
  typeof metricOperations &
  typeof volumeOperations &
  typeof cliVolumeOperations &
  typeof qtreeOperations &
  typeof tokenOperations &
  typeof splitLoadOperations &
  typeof splitStatusOperations &
  typeof splitOperations &
  typeof fileCloneOperations &
  typeof fileOperations &
  typeof jobOperations &
  typeof nodeOperations &
  typeof svmOperations &
  typeof clusterOperations &
  typeof noticeOperations &
  typeof webhookOperations &
  typeof mailOperations &
  typeof selfOperations

/** The operations of the storage interface by their names, with paths, schemas and OpenAPI texts. */
export const storageContract: Operations = {
  ...ruleOperations,
  ...ruleImportOperations,
  ...reportOperations,
  ...metricOperations,
  ...volumeOperations,
  ...cliVolumeOperations,
  ...qtreeOperations,
  ...tokenOperations,
  ...splitLoadOperations,
  ...splitStatusOperations,
  ...splitOperations,
  ...fileCloneOperations,
  ...fileOperations,
  ...jobOperations,
  ...nodeOperations,
  ...svmOperations,
  ...clusterOperations,
  ...noticeOperations,
  ...webhookOperations,
  ...mailOperations,
  ...selfOperations,
}

/** The name of an operation, as access rules use it. */
export type StorageOperation = keyof Operations
