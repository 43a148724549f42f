/** Characters that some stores refuse. One such text would block all records. */
export const UNWRITABLE = /[\p{Cc}\p{Cs}]/gu
