import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { workersFrom } from './thread-worker.ts'

// Runs the code of a Worker in a thread of Node, with what a browser has there.

const { directory, file }: { directory: string; file: string } = workerData

Object.assign(globalThis, {
  self: globalThis,
  Worker: workersFrom(directory),
  postMessage: (message: unknown) => parentPort?.postMessage(message),
  addEventListener: (_type: 'message', listen: (event: { data: unknown }) => void) =>
    parentPort?.on('message', (data) => listen({ data })),
})

await import(/* @vite-ignore */ join(directory, file))
