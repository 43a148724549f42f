import { linuxWorker } from '../src/index.ts'

// Prints the id of its worker, and runs until it is killed or its input ends.

console.log(linuxWorker().id)
process.stdin.resume()
