import type { Svm, SvmId } from './svm.ts'

/** The store of storage virtual machines. A rejection means that the store failed. */
export interface SvmRepository {
  /** Adds an SVM unless one of that name is stored. Returns the stored one. Atomic. */
  register(svm: Svm): Promise<Svm>
  /** Returns an SVM, or `undefined`. */
  find(uuid: SvmId): Promise<Svm | undefined>
  /** Returns the SVM with exactly that name, or `undefined`. Case matters. */
  findByName(name: string): Promise<Svm | undefined>
  /** Lists the SVMs by name. */
  list(): Promise<readonly Svm[]>
}
