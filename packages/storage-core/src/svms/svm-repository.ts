import type { Svm, SvmId } from './svm.ts'

/** Where storage virtual machines are kept. Rejections mean that the store failed. */
export interface SvmRepository {
  /** Adds the SVM unless one of that name is kept already; answers the one that is kept. */
  register(svm: Svm): Promise<Svm>
  find(uuid: SvmId): Promise<Svm | undefined>
  findByName(name: string): Promise<Svm | undefined>
  /** In the order of their names. */
  list(): Promise<readonly Svm[]>
}
